/**
 * The start latency of a one-GPU interactive job on an idle cluster, for each column: eight sessions, ten minutes apart, each at another moment of the schedulers' periods (sessions of a second, Slurm's passes
 * of half a minute). The page asks the worker when each has its GPU; cycles, bindings and calls that follow until the decision is written come on top (`latencyParts.ts`). Starting a container is no part of it.
 */
import { MINUTE_MS } from "../../model/units.ts";
import type { ScenarioInput } from "../schema.ts";
import type { ColumnId, PolicyInput } from "./cell.ts";
import { CLUSTER, EASY, oneQueue, preset, slurm } from "./policies.ts";

const SESSIONS = 8;
/** No multiple of a second or of half a minute: each session meets another phase. */
const APART_MS = 10 * MINUTE_MS + 7_373;

export const LATENCY_POLICIES: Readonly<Record<ColumnId, PolicyInput>> = {
  easy: EASY,
  slurm: slurm(),
  "kube-scheduler": preset("kube-scheduler"),
  kueue: oneQueue(),
  volcano: preset("volcano"),
  kai: preset("kai"),
  ray: preset("ray"),
};

export interface LatencySession {
  readonly id: string;
  readonly submitMs: number;
}

export const LATENCY_SESSIONS: readonly LatencySession[] = Array.from(
  { length: SESSIONS },
  (_, index) => ({ id: `session-${index + 1}`, submitMs: MINUTE_MS + index * APART_MS }),
);

/** An idle cluster and its eight sessions under the policy of a column. */
export function latencyDocument(column: ColumnId): ScenarioInput {
  return {
    version: 1,
    title: "Start latency on an idle cluster",
    question: "How long does a one-GPU notebook wait on a cluster where nothing else runs?",
    cluster: CLUSTER,
    pools: [{ id: "all", policy: LATENCY_POLICIES[column] }],
    workload: {
      jobs: LATENCY_SESSIONS.map(({ id, submitMs }) => ({
        id,
        submitMs,
        kind: "interactive" as const,
        workMs: 2 * MINUTE_MS,
        limitMs: 5 * MINUTE_MS,
        components: [{ members: 1, gpusPerMember: 1 }],
      })),
    },
  };
}
