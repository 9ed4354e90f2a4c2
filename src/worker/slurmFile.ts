/** Dropped files of a Slurm cluster: told apart, read together, as a scenario of their own and joined to the one that is open. */
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import { err, ok } from "../base/result.ts";
import { decodeText } from "../formats/text.ts";
import { LIMITS } from "../model/limits.ts";
import type { GivenFile, ReadCluster, SlurmOutcome } from "../protocol/messages.ts";
import { readScenario } from "../scenario/read.ts";
import type { Scenario, ScenarioInput } from "../scenario/schema.ts";
import { withClusterGpus } from "../scenario/slurm/clusterGpus.ts";
import { detectSlurmFile } from "../scenario/slurm/detectFile.ts";
import { expandHostlist } from "../scenario/slurm/hostlist.ts";
import { scenarioFromSlurm } from "../scenario/slurm/importCluster.ts";
import { joinSlurmFiles } from "../scenario/slurm/joinFile.ts";
import { parseSlurm } from "../scenario/slurm/parse.ts";
import type { ConfigNote, SlurmFiles } from "../scenario/slurm/report.ts";
import { syntheticLoad } from "../scenario/slurm/syntheticLoad.ts";

const NO_FILES: SlurmFiles = { conf: "", gres: "", topology: "", accounting: "" };

/** What `RunHost.readSlurm` answers. O(files + nodes). */
export function readSlurmFiles(given: readonly GivenFile[], open: Scenario | null): SlurmOutcome {
  const texts: Partial<Record<keyof SlurmFiles, string>> = {};
  const files: { name: string; file: keyof SlurmFiles }[] = [];
  const others: string[] = [];
  let isGuessed = false;
  for (const { name, bytes } of given) {
    const { text, guessed } = textOf(bytes);
    const file = detectSlurmFile(text);
    if (file === null || texts[file] !== undefined) {
      others.push(name);
      continue;
    }
    if (bytes.byteLength > LIMITS.configBytes)
      return { kind: "problems", problems: [tooLarge(name)] };
    texts[file] = text;
    files.push({ name, file });
    isGuessed ||= guessed;
  }
  if (files.length === 0) return { kind: "other" };
  return {
    kind: "read",
    files,
    others,
    guessed: isGuessed,
    own: texts.conf === undefined ? null : clusterOf(scenarioOf({ ...NO_FILES, ...texts })),
    joined: open === null ? null : clusterOf(joinSlurmFiles(open, texts)),
    ...(texts.conf === undefined ? {} : { load: loadOf({ ...NO_FILES, ...texts }) }),
  };
}

/** A file that is larger than any configuration is looked at only in its first part. */
function textOf(bytes: ArrayBuffer): { text: string; guessed: boolean } {
  return decodeText(new Uint8Array(bytes, 0, Math.min(bytes.byteLength, 2 * LIMITS.configBytes)));
}

interface Made {
  readonly scenario: ScenarioInput;
  readonly notes: readonly ConfigNote[];
  readonly newCluster: boolean;
}

function scenarioOf(files: SlurmFiles): Result<Made, Problem[]> {
  const made = scenarioFromSlurm(files);
  return made.ok ? ok({ ...made.value, newCluster: true }) : err(made.error);
}

function clusterOf(made: Result<Made, Problem[]>): ReadCluster {
  if (!made.ok) return { kind: "problems", problems: made.error };
  const { scenario, notes, newCluster } = made.value;
  const read = readScenario(scenario);
  return read.ok
    ? { kind: "scenario", json: JSON.stringify(read.value), notes, newCluster }
    : { kind: "problems", problems: read.error };
}

/** Jobs that fit, as JSON. */
function loadOf(files: SlurmFiles): string {
  const made = scenarioFromSlurm(files);
  const parsed = parseSlurm(files);
  if (!made.ok || !parsed.ok) return "[]";
  const { cluster, tiers, teams } = made.value.scenario;
  // What the import takes for granted of GPUs holds for the load too.
  const gpus = new Map(
    cluster.nodeGroups.flatMap((group) => {
      const names = expandHostlist(group.names ?? "");
      return names.ok ? names.value.map((name): [string, number] => [name, group.gpus]) : [];
    }),
  );
  const config = withClusterGpus(parsed.value.config, (name) => gpus.get(name) ?? 0);
  const known = { tiers: tiers.map((each) => each.id), teams: teams.map((each) => each.id) };
  return JSON.stringify(syntheticLoad(config, known));
}

function tooLarge(name: string): Problem {
  return {
    place: name,
    message: `The file is larger than ${LIMITS.configBytes / 1_024} KiB.`,
    remedy: "Leave out what does not bear on scheduling, such as long comments.",
  };
}
