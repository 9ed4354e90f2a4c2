/** `scontrol create reservation …` of a recording → the intervention that makes it (scontrol(1), "Reservations"). */
import { MINUTE_MS } from "../../model/units.ts";
import type { ChangeDraft } from "./slurmTruthCommands.ts";
import type { Recording } from "./slurmTruthFile.ts";
import { listOf, momentMs, slurmTimeMs } from "./slurmTruthWords.ts";

/** A year: what Slurm gives a reservation without an end. */
const UNLIMITED_MS = 365 * 1_440 * MINUTE_MS;

/** Throws on a word that is not modelled. */
export function reservationOf(
  pairs: Map<string, string>,
  atMs: number,
  truth: Recording,
): ChangeDraft {
  const take = (...keys: string[]) => {
    for (const key of keys) {
      const value = pairs.get(key);
      pairs.delete(key);
      if (value !== undefined && value !== "") return value;
    }
    return undefined;
  };
  pairs.delete("reservation");
  const name = take("reservationname");
  const startMs = momentMs(take("starttime", "start") ?? "now", atMs);
  const end = take("endtime", "end");
  const duration = take("duration");
  const endMs = end === undefined ? startMs + durationMs(duration) : momentMs(end, atMs);
  const nodes = take("nodes", "node", "nodelist");
  const nodeCount = take("nodecnt", "nodecount");
  const users = listOf(take("users", "user") ?? "");
  const accounts = listOf(take("accounts", "account") ?? "");
  const partition = take("partitionname", "partition");
  const flags = listOf((take("flags", "flag") ?? "").toUpperCase());
  const [unknown] = pairs.keys();
  if (unknown !== undefined) throw new Error(`${unknown} of a reservation is not modelled`);
  return {
    kind: "reserve",
    atMs,
    name: name ?? `${users[0] ?? accounts[0] ?? "root"}_${numberOf(truth, atMs)}`,
    startMs,
    endMs,
    ...(nodes === undefined ? {} : { nodes }),
    ...(nodeCount === undefined ? {} : { nodeCount: Number(nodeCount) }),
    users,
    accounts,
    ...(partition === undefined ? {} : { partition }),
    flags,
  };
}

function durationMs(text: string | undefined): number {
  if (text === undefined || /^(unlimited|infinite)$/i.test(text)) return UNLIMITED_MS;
  return slurmTimeMs(text);
}

/** Slurm numbers the reservations that nobody named. */
function numberOf(truth: Recording, atMs: number): number {
  const creates = (truth.commands ?? []).filter((one) => /\bcreate\b/.test(one.cmd));
  return 1 + creates.filter((one) => one.atSec * 1_000 < atMs - 999).length;
}
