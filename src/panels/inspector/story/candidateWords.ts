/** The funnel of nodes in words: what a row is called, what took nodes away, and what follows from what is left. */
import { countText, numberText } from "../../../base/format.ts";
import {
  CANDIDATE_RULES,
  type CandidateRow,
  type CandidateRule,
  type Candidates,
} from "../../../model/lab/candidates.ts";
import { waitWords } from "../../../model/sentences.ts";
import type { Stage } from "../../../protocol/messages.ts";
import { jobLabel } from "../../../timeline/jobNames.ts";

type Words = (word: string, keptFor: string) => string;

const RULE_WORDS: Readonly<Record<CandidateRule, Words>> = {
  closed: () => "drained, down or not there yet",
  domain: () => "in no domain that could hold it",
  labels: () => "without the labels it asks for",
  model: (word) => `with another ${word} model`,
  size: () => "too small for one member",
  devices: (word) => `with no ${word} free`,
  together: (word) => `with too few ${word}s free together`,
  cpuOrMemory: () => "with too little CPU or memory",
  exclusive: () => "with somebody on it: it shares with nobody",
  window: () => "kept for a window or reservation",
  kept: (_, keptFor) => `kept for ${keptFor}`,
};

export interface FunnelLine {
  readonly rule: CandidateRule;
  readonly count: number;
  readonly words: string;
}

/** What took nodes away, in the order in which it is asked. */
export function funnelLines(
  rows: readonly CandidateRow[],
  { keptForJobIdx }: Candidates,
  stage: Stage,
): FunnelLine[] {
  const keptFor =
    keptForJobIdx < 0 ? "a job before it" : `job ${jobLabel(stage.jobs, keptForJobIdx)}`;
  return CANDIDATE_RULES.flatMap((rule, at) => {
    const count = rows.reduce((sum, row) => sum + row.removed[at]!, 0);
    if (count === 0) return [];
    return [{ rule, count, words: RULE_WORDS[rule](stage.cluster.deviceWord, keptFor) }];
  });
}

export function rowName({ by, index }: CandidateRow, { cluster }: Stage): string {
  if (by === "nvswitch") return index < 0 ? "in no NVSwitch domain" : `NVSwitch domain ${index}`;
  if (by === "class") {
    const group = cluster.groups[index];
    return group ? `${group.id} (${group.gpuModel})` : String(index);
  }
  const name = cluster.leafNames[index] ?? String(index);
  return name.startsWith("leaf ") ? name : `leaf ${name}`;
}

/** "7 nodes are left, room for 7 of its 16 members." and what follows. */
export function leftWords({ rows, membersNeeded, inOneRow, ceiling }: Candidates): string {
  const left = rows.reduce((sum, row) => sum + row.left, 0);
  const members = inOneRow
    ? Math.max(0, ...rows.map((row) => row.members))
    : rows.reduce((sum, row) => sum + row.members, 0);
  if (left === 0) return "No node is left.";
  const fits = Math.min(members, membersNeeded);
  const where = inOneRow ? ", the best place" : "";
  const whose =
    membersNeeded === 1
      ? "for it"
      : `for ${numberText(fits)} of its ${countText(membersNeeded, "member")}`;
  const lead = `${countText(left, "node")} ${left === 1 ? "is" : "are"} left${where} with room ${whose}.`;
  if (members < membersNeeded) return lead;
  if (ceiling !== 0) return `${lead} Still it waits: ${waitWords(ceiling)}.`;
  return `${lead} It is not nodes that it lacks.`;
}
