/** The funnel of nodes in words: what a row is called, what took nodes away, and what follows from what is left. */
import { countText, numberText } from "../../../base/format.ts";
import {
  CANDIDATE_RULES,
  type CandidateRow,
  type CandidateRule,
  type Candidates,
} from "../../../model/lab/candidates.ts";
import { slurmReasonOf } from "../../../model/reasons.ts";
import { waitWords } from "../../../model/sentences.ts";
import type { Stage } from "../../../protocol/messages.ts";
import { presetOf } from "../../../scenario/settings.ts";
import { jobLabel } from "../../../timeline/jobNames.ts";
import { leafText } from "../../../timeline/nodeWords.ts";

type Words = (word: string, keptFor: string, slurm: boolean) => string;

const RULE_WORDS: Readonly<Record<CandidateRule, Words>> = {
  closed: () => "drained, down or not there yet",
  domain: () => "in no domain that could hold it",
  partition: () => "of other partitions",
  named: () => "not among those it names, or excluded by it",
  labels: (_, __, slurm) =>
    slurm ? "without the features it asks for" : "without the labels it asks for",
  model: (word) => `with another ${word} model`,
  size: () => "too small for one member",
  devices: (word) => `with no ${word} free`,
  together: (word) => `with too few ${word}s free together`,
  cpuOrMemory: () => "with too little CPU or memory",
  exclusive: () => "with somebody on it: it shares with nobody",
  user: () => "with a job of another user: they are shared by one user only",
  window: () => "kept for a window or reservation",
  kept: (_, keptFor) => `kept for ${keptFor}`,
};

/** Presets that go through nodes for whoever asks. */
const TELLS: ReadonlySet<string> = new Set(["lab", "slurm", "ray"]);

/** Where there is no funnel. `preset`: in force where the job waits. */
export function notToldWords({ cluster }: Pick<Stage, "cluster">, preset: string): string {
  if (cluster.flat)
    return `Any free ${cluster.deviceWord} would do: there are no nodes to choose from.`;
  if (TELLS.has(preset)) return "No nodes are gone through for it now.";
  return `${presetOf(preset)?.label ?? preset} says no more of nodes than what stands above: how many, not which.`;
}

export interface FunnelLine {
  readonly rule: CandidateRule;
  readonly count: number;
  readonly words: string;
}

/** What took nodes away, in the order in which it is asked. */
export function funnelLines(
  rows: readonly CandidateRow[],
  { keptForJobIdx, unit }: Candidates,
  stage: Stage,
): FunnelLine[] {
  const keptFor =
    keptForJobIdx < 0 ? "a job before it" : `job ${jobLabel(stage.jobs, keptForJobIdx)}`;
  return CANDIDATE_RULES.flatMap((rule, at) => {
    const count = rows.reduce((sum, row) => sum + row.removed[at]!, 0);
    if (count === 0) return [];
    return [
      {
        rule,
        count,
        words: RULE_WORDS[rule](stage.cluster.deviceWord, keptFor, unit !== "member"),
      },
    ];
  });
}

export function rowName({ by, index }: CandidateRow, { cluster }: Stage): string {
  if (by === "nvswitch") return index < 0 ? "in no NVSwitch domain" : `NVSwitch domain ${index}`;
  if (by === "class") {
    const group = cluster.groups[index];
    return group ? `${group.id} (${group.gpuModel})` : String(index);
  }
  const name = cluster.leafNames[index] ?? String(index);
  return leafText(name);
}

/** "7 nodes are left, room for 7 of its 16 members." and what follows. */
export function leftWords(found: Candidates, deviceWord = "GPU"): string {
  const { rows, membersNeeded, inOneRow, ceiling, switchesMost } = found;
  const left = rows.reduce((sum, row) => sum + row.left, 0);
  const members = inOneRow
    ? Math.max(0, ...rows.map((row) => row.members))
    : rows.reduce((sum, row) => sum + row.members, 0);
  if (left === 0) return "No node is left.";
  const lead = `${countText(left, "node")} ${left === 1 ? "is" : "are"} left${roomWords(found, members, deviceWord)}.`;
  if (members < membersNeeded) return lead;
  if (switchesMost > 0)
    return `${lead} For now it asks for all of them under ${countText(switchesMost, "leaf switch", "leaf switches")}.`;
  const slurm = slurmReasonOf(ceiling);
  if (slurm !== null) return `${lead} Still it waits: squeue says “${slurm}”.`;
  if (ceiling !== 0) return `${lead} Still it waits: ${waitWords(ceiling)}.`;
  return `${lead} It is not nodes that it lacks.`;
}

/** "with room for 7 of its 16 members"; of Slurm, which counts nodes, GPUs or CPUs: "and it needs 16". */
function roomWords(
  { unit, membersNeeded, inOneRow }: Candidates,
  members: number,
  deviceWord: string,
): string {
  if (unit === "node") return `; it needs ${numberText(membersNeeded)}`;
  if (unit !== "member") {
    const word = unit === "gpu" ? deviceWord : "CPU";
    return ` with ${countText(members, word)}; it needs ${numberText(membersNeeded)}`;
  }
  const fits = Math.min(members, membersNeeded);
  const where = inOneRow ? ", the best place" : "";
  const whose =
    membersNeeded === 1
      ? "for it"
      : `for ${numberText(fits)} of its ${countText(membersNeeded, "member")}`;
  return `${where} with room ${whose}`;
}

/** The head of the column that counts what fits. */
export function unitHead({ unit }: Candidates, deviceWord: string): string {
  if (unit === "gpu") return `${deviceWord}s`;
  return { member: "members", node: "usable", cpu: "CPUs" }[unit];
}
