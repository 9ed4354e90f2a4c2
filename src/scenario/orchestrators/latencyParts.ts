/**
 * What the start latency of a column is made of: from submission until the scheduler has decided and its decision is written, so a pod is bound or a lease is granted. A record counts from submission until the devices
 * are taken; cycles, bindings and calls that follow are in the run's start-up there, and stand here again. Each part is a setting of the preset and says where its default is from; what no setting explains is the wait
 * for a session or a pass, whose length is the setting that is named.
 */
import type { SettingSpec } from "../settingSpec.ts";
import { presetOf } from "../settings.ts";
import type { ColumnId } from "./cell.ts";
import { LATENCY_POLICIES } from "./latency.ts";

export interface LatencyPart {
  readonly label: string;
  readonly ms: number;
  /** What it is, and where its length is from. */
  readonly source: string;
}

/** A setting, how often it counts (itself a setting in Kueue), and how many ms one of its units is. */
interface Step {
  readonly key: string;
  readonly times?: number | { readonly key: string };
  readonly unitMs?: number;
}

interface Composed {
  /** Until the devices are taken. */
  readonly before: readonly Step[];
  /** Between that and the start of the container or worker. */
  readonly after: readonly Step[];
  /** The wait that the run computes: for what, and by which rule, or by which setting. */
  readonly rest?: { readonly label: string; readonly source: string } | { readonly key: string };
  /** What follows. */
  readonly start: readonly string[];
  /** What is not counted here, and where it is. */
  readonly note?: string;
}

const CYCLE_AND_BIND: readonly Step[] = [
  { key: "cycleMicros", unitMs: 1 / 1_000 },
  { key: "bindMs" },
];
const BIND_WITHIN =
  "The binding call is not told apart: it is in the pod start. Binds per second count from the second pod of a session on.";

const COMPOSED: Readonly<Record<ColumnId, Composed>> = {
  easy: {
    before: [],
    after: [],
    start: [],
    note: "The lab has no calls and no messages: it decides at the very event.",
  },
  slurm: {
    before: [],
    after: [],
    rest: {
      label: "Wait for a pass",
      source:
        "slurmctld’s loop looks once a second whether a pass is due: batch_sched_delay (3 s) after the last one (slurm.conf, SchedulerParameters).",
    },
    start: [],
    note: "The launch by slurmd is not modelled: a job runs once it has its node.",
  },
  "kube-scheduler": {
    before: [{ key: "watchDelayMs" }],
    after: CYCLE_AND_BIND,
    start: ["podStartMs"],
  },
  kueue: {
    before: [
      { key: "roundTripMs", times: { key: "queueRoundTrips" } },
      { key: "admissionCycleMs" },
      { key: "roundTripMs", times: { key: "admitRoundTrips" } },
      { key: "watchDelayMs" },
    ],
    after: CYCLE_AND_BIND,
    start: ["podStartMs"],
  },
  volcano: {
    before: [{ key: "podCreateMs" }],
    after: [],
    rest: { key: "schedulePeriodMs" },
    start: ["podStartMs"],
    note: `One session lets the group in, a later one places its pods. ${BIND_WITHIN}`,
  },
  kai: {
    before: [],
    after: [],
    rest: { key: "schedulePeriodMs" },
    start: ["podStartMs"],
    note: BIND_WITHIN,
  },
  ray: {
    before: [],
    after: [{ key: "rpcMs", times: 2 }],
    start: ["workerStartMs"],
  },
};

function specOf(column: ColumnId, key: string): SettingSpec {
  const preset = LATENCY_POLICIES[column].preset ?? "lab";
  const spec = presetOf(preset)?.settings.find((one) => one.key === key);
  if (spec === undefined) throw new Error(`${preset} has no setting ${key}`);
  return spec;
}

/** The value of a setting under which the column's sessions run: all are at their defaults. */
function settingOf(column: ColumnId, key: string): number {
  return Number(LATENCY_POLICIES[column].settings?.[key] ?? specOf(column, key).standard);
}

function partOf(column: ColumnId, { key, times = 1, unitMs = 1 }: Step): LatencyPart {
  const { label, sentence } = specOf(column, key);
  const count = typeof times === "number" ? times : settingOf(column, times.key);
  const each = settingOf(column, key) * unitMs;
  const counted = typeof times === "number" ? null : specOf(column, times.key);
  return {
    label: count === 1 ? label : `${count} × ${label.toLowerCase()}`,
    ms: count * each,
    source: counted === null ? sentence : `${counted.sentence} ${sentence}`,
  };
}

const sumMs = (parts: readonly LatencyPart[]): number => parts.reduce((sum, { ms }) => sum + ms, 0);

/** From when the devices are taken until the decision is written. */
export function writtenAfterMs(column: ColumnId): number {
  return sumMs(COMPOSED[column].after.map((step) => partOf(column, step)));
}

/** In the order of time. `takenMs`: from submission until the devices are taken, as a run says. */
export function latencyParts(column: ColumnId, takenMs: number): LatencyPart[] {
  const { before, after, rest = TURN } = COMPOSED[column];
  const first = before.map((step) => partOf(column, step));
  const waitMs = takenMs - sumMs(first);
  const wait = "key" in rest ? waitFor(specOf(column, rest.key)) : rest;
  return [
    ...first,
    ...(waitMs < LEAST_MS ? [] : [{ ...wait, ms: waitMs }]),
    ...after.map((step) => partOf(column, step)),
  ];
}

const TURN = { label: "Wait for its turn", source: "As the run says." };
/** Records count in whole ms: what is shorter is rounding. */
const LEAST_MS = 1;

function waitFor({ label, sentence }: SettingSpec) {
  return { label: `Wait, by the ${label.toLowerCase()}`, source: sentence };
}

export function latencyNote(column: ColumnId): string | null {
  return COMPOSED[column].note ?? null;
}

/** What comes on top until it runs. */
export function startAfterMs(column: ColumnId): number {
  return COMPOSED[column].start.reduce((sum, key) => sum + settingOf(column, key), 0);
}
