/**
 * Words of a job's life in the text form of `world.ts`:
 *
 *     start 1s                          start-up
 *     save 4s cost 1s restore 2s        checkpoint every 4 s of run time; `save never`; also: local (on its nodes), onsignal
 *     again                             queued again at its limit
 *     hang 5s                           time-out of its collective
 *     elastic 2-4 horovod pause 1s      members, who restarts it (torchrun, horovod, free), pause; speed is linear
 *     active 4s idle 3s                 an interactive session
 */
import type { Checkpointing, Elastic, JobLife } from "../../src/model/lab/jobLife.ts";
import { SPEED_ONE } from "../../src/model/units.ts";

const NEVER = Number.POSITIVE_INFINITY;

/** Undefined where no word speaks of it. `members`: as asked for. */
export function lifeWords(words: readonly string[], members: number): Partial<JobLife> | undefined {
  const after = (word: string, more = 1): string | undefined =>
    words.includes(word) ? words[words.indexOf(word) + more] : undefined;
  const ms = (word: string, fallback: number): number => {
    const text = after(word);
    if (text === undefined) return fallback;
    return text === "never" ? NEVER : Math.round(Number.parseFloat(text) * 1_000);
  };
  const checkpoint: Checkpointing | null = words.includes("save")
    ? {
        everyMs: ms("save", NEVER),
        costMs: ms("cost", 0),
        sizeGiB: 0,
        location: words.includes("local") ? "node" : "shared",
        restoreMs: ms("restore", 0),
        onSignal: words.includes("onsignal"),
      }
    : null;
  const elastic = elasticWords(after("elastic"), after("elastic", 2), ms("pause", 0), members);
  const session = words.includes("active")
    ? { activeMs: ms("active", 0), idleTimeoutMs: ms("idle", NEVER) }
    : null;
  const life = {
    startupMs: ms("start", 0),
    checkpoint,
    elastic,
    session,
    collectiveTimeoutMs: ms("hang", NEVER),
    requeueAtLimit: words.includes("again"),
  };
  const plain = life.startupMs === 0 && life.collectiveTimeoutMs === NEVER && !life.requeueAtLimit;
  return plain && !checkpoint && !elastic && !session ? undefined : life;
}

function elasticWords(
  range: string | undefined,
  kind: string | undefined,
  rendezvousMs: number,
  members: number,
): Elastic | null {
  if (range === undefined) return null;
  const [minMembers, maxMembers] = range.split("-").map(Number) as [number, number];
  const allowed = Array.from({ length: maxMembers - minMembers + 1 }, (_, i) => minMembers + i);
  return {
    minMembers,
    maxMembers,
    allowed,
    restart: kind === "horovod" || kind === "torchrun" ? kind : "none",
    rendezvousMs,
    maxRestarts: 1_000_000,
    speedQ16: allowed.map((size) => Math.round((size * SPEED_ONE) / members)),
  };
}
