/** The scheduler's memory when it takes a pool over: nothing known yet; `takeOver` fills it in the first pass. */
import type { PoolView } from "../../engine/view.ts";
import type { PoolSettings } from "../../model/policy.ts";
import { NEVER_MS } from "../../model/units.ts";
import { createLimitBooks } from "../../scheduling/limits/books.ts";
import { TOP_PRIORITY } from "../../scheduling/priority/basic.ts";
import { nextTickMs, startUsage } from "../../scheduling/priority/ticks.ts";
import { freeResources } from "./select/resources.ts";
import { setupOf } from "./setup.ts";
import type { SlurmState } from "./state.ts";

/** O(nodes + jobs of the table), the latter for the tree of accounts. */
export function createState(view: PoolView, pool: PoolSettings, everyPass: boolean): SlurmState {
  const setup = setupOf(view, pool, everyPass);
  const { config, controllerStartMs } = setup;
  const qos = setup.qos.map((each) => each.config);
  const partitions = setup.partitions.map((each) => each.config);
  const limits = createLimitBooks(config, setup.tree, {
    qos,
    partitions,
    partitionNodes: setup.partitions.map((each) => each.nodeCount),
  });
  const usage = startUsage(
    setup.tree,
    config.priority,
    qos,
    limits.setup.tres,
    Math.min(controllerStartMs, view.nowMs),
  );
  return {
    setup,
    jobs: new Map(),
    queue: [],
    running: [],
    runsVersion: 0,
    verdicts: null,
    resources: freeResources(setup.nodes),
    upNodes: new Int32Array(setup.words),
    limits,
    usage,
    reservations: [],
    lowestPriority: TOP_PRIORITY,
    begins: [],
    arrayRuns: new Map(),
    mainDueMs: NEVER_MS,
    lastMainMs: Number.NEGATIVE_INFINITY,
    fullDue: false,
    fullMs: NEVER_MS,
    lastBackfillMs: controllerStartMs,
    nextBackfillMs: NEVER_MS,
    nextTickMs: nextTickMs(usage, controllerStartMs, controllerStartMs),
    nextSignalMs: NEVER_MS,
    nextEdgeMs: NEVER_MS,
    nextGangMs: NEVER_MS,
    gangSlice: 0,
    gangs: [],
    fresh: true,
    kept: null,
    passesComputed: 0,
    passesSkipped: 0,
  };
}
