/**
 * What somebody picks of the decision log (a kind, a tier, a reason, words of a search, one job, the stretch in view) made into a filter over
 * columns. Jobs are found by the language of the search box; `node:` takes a node's own decisions and those of its devices with it.
 */
import { DECISION_KINDS, type DecisionKind, DecisionKindCode } from "../record/shapes.ts";
import { type DecisionFilter, EVERY_DECISION, type LogReason } from "./decisionIndex.ts";
import type { TierAt } from "./jobNames.ts";
import { parseSearch, type SearchRecord, type SearchWorld, searchJobsSteps } from "./jobSearch.ts";

/** Kinds that people ask for together. */
export const KIND_GROUPS = {
  starts: ["start", "place", "admit", "resume"],
  waits: ["wait", "hold"],
  promises: ["plan"],
  stops: ["evict", "suspend", "refuse", "cancel"],
  whileRunning: ["resize", "move", "speed", "checkpoint", "saved", "unsaved", "restart"],
  nodes: ["openNode", "closeNode", "handNode", "repartition", "failDevice", "resumeDevice"],
  passes: ["pass", "round"],
} as const satisfies Record<string, readonly DecisionKind[]>;
export type KindGroup = keyof typeof KIND_GROUPS;

export const KIND_GROUP_NAMES: Readonly<Record<KindGroup, string>> = {
  starts: "starts",
  waits: "reasons for waiting",
  promises: "promises",
  stops: "stops and refusals",
  whileRunning: "while it runs",
  nodes: "nodes and devices",
  passes: "passes and rounds",
};

export interface Picked {
  readonly kinds: KindGroup | null;
  /** Index of a tier; −1 = any. */
  readonly tier: number;
  readonly reason: LogReason | null;
  readonly search: string;
  /** Only this job; −1 = any. */
  readonly jobIdx: number;
  /** Only this stretch; null = the whole run. */
  readonly range: { readonly fromMs: number; readonly toMs: number } | null;
}

export const NOTHING_PICKED: Picked = {
  kinds: null,
  tier: -1,
  reason: null,
  search: "",
  jobIdx: -1,
  range: null,
};

/** A step is a few milliseconds. O(jobs), and O(rows of the record) for `node:`. */
export function* filterSteps(
  picked: Picked,
  world: SearchWorld,
  record: SearchRecord,
  tierAt: TierAt,
  atMs: number,
): Generator<void, DecisionFilter> {
  const terms = parseSearch(picked.search);
  let jobs: Uint8Array | null = null;
  if (terms.length > 0 || picked.jobIdx >= 0) {
    jobs = new Uint8Array(world.jobs.count);
    if (terms.length > 0) {
      for (const jobIdx of yield* searchJobsSteps(world, record, atMs, terms)) jobs[jobIdx] = 1;
      if (picked.jobIdx >= 0) {
        const kept = jobs[picked.jobIdx]!;
        jobs.fill(0);
        jobs[picked.jobIdx] = kept;
      }
    } else jobs[picked.jobIdx] = 1;
  }
  const onlyNodes =
    picked.jobIdx < 0 && terms.length > 0 && terms.every(({ field }) => field === "node");
  const nodes = onlyNodes
    ? Uint8Array.from(world.cluster.nodeNames, (name) =>
        terms.every(({ value }) => name.toLowerCase().includes(value)) ? 1 : 0,
      )
    : null;
  return {
    ...EVERY_DECISION,
    kinds: picked.kinds === null ? null : flagsOf(KIND_GROUPS[picked.kinds]),
    reason: picked.reason,
    jobs,
    nodes,
    devices: nodes && devicesOf(nodes, world.cluster.deviceBase),
    tier: picked.tier < 0 ? null : { wanted: picked.tier, at: tierAt },
    ...(picked.range ?? {}),
  };
}

function flagsOf(kinds: readonly DecisionKind[]): Uint8Array {
  const flags = new Uint8Array(DECISION_KINDS.length);
  for (const kind of kinds) flags[DecisionKindCode[kind]] = 1;
  return flags;
}

function devicesOf(nodes: Uint8Array, deviceBase: Int32Array): Uint8Array {
  const devices = new Uint8Array(deviceBase[nodes.length] ?? 0);
  nodes.forEach((wanted, node) => {
    if (wanted === 1) devices.fill(1, deviceBase[node]!, deviceBase[node + 1]!);
  });
  return devices;
}
