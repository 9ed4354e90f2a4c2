/** Random documents with the fields of the policy lab: most of them valid, some not. Times are short, so that expansion stays cheap. */
import fc from "fast-check";

const HOUR = 3_600_000;
const gpus = fc.integer({ min: 0, max: 16 });
const ms = fc.integer({ min: 0, max: 10 * HOUR });
const length = fc.integer({ min: 1, max: 10 * HOUR });
/** Not every few milliseconds: a run of days would have as many events. */
const saveInterval = fc.integer({ min: 60_000, max: 10 * HOUR });
const amount = fc.double({ min: 0, max: 1_000, noNaN: true });
const part = fc.double({ min: 0.01, max: 1, noNaN: true });
const tier = fc.constantFrom("critical", "high", "normal", "low");
const team = fc.constantFrom("red", "blue", "green");

const some = <T extends Record<string, unknown>>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(fields, { requiredKeys: [] });

const points = fc.uniqueArray(
  fc.record({
    members: fc.integer({ min: 1, max: 20 }),
    speed: fc.double({ min: 0.01, max: 9, noNaN: true }),
  }),
  { minLength: 1, maxLength: 3, selector: (point) => point.members },
);

const elastic = fc
  .tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 0, max: 12 }))
  .chain(([minMembers, more]) => {
    const member = fc.integer({ min: minMembers, max: minMembers + more });
    const batches = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 3 });
    const deepspeed = fc.record({
      microBatches: batches,
      maxBatch: fc.integer({ min: 500, max: 4_000 }),
    });
    const allowed = fc.array(member, { minLength: 1, maxLength: 4 });
    return fc
      .tuple(
        fc.record({
          minMembers: fc.constant(minMembers),
          maxMembers: fc.constant(minMembers + more),
        }),
        some({ restart: fc.constantFrom("torchrun", "horovod", "none"), rendezvousMs: ms }),
        fc.oneof(fc.constant({}), fc.record({ allowed }), fc.record({ deepspeed })),
        fc.oneof(fc.constant({}), fc.record({ scaling: part }), fc.record({ throughput: points })),
      )
      .map((parts) => Object.assign({}, ...parts) as (typeof parts)[0] & Record<string, unknown>);
  });

const lifeInput = some({
  startupMs: ms,
  checkpoint: fc.record(
    {
      every: fc.oneof(saveInterval, fc.constantFrom("young", "daly", "never")),
      costMs: fc.integer({ min: 1, max: 100_000 }),
      sizeGiB: amount,
      location: fc.constantFrom("shared", "node"),
      restoreMs: ms,
      onSignal: fc.boolean(),
    },
    { requiredKeys: ["costMs"] },
  ),
  elastic,
  session: fc.record({ activeMs: length, idleTimeoutMs: length }),
  deadlineInMs: length,
  bid: amount,
  traffic: fc.record({
    stepMs: fc.double({ min: 0.1, max: 1_000, noNaN: true }),
    allReduceGiB: amount,
    algorithm: fc.constantFrom("ring", "tree"),
    overlap: part,
  }),
  collectiveTimeoutMs: length,
  maxEvictions: fc.integer({ min: 0, max: 9 }),
  exclusive: fc.boolean(),
  labels: fc.constantFrom({}, { zone: "a" }),
  gpuModels: fc.uniqueArray(
    fc.record({ model: fc.constantFrom("H100", "A100", "L40S"), speed: part }),
    { minLength: 1, maxLength: 3, selector: (entry) => entry.model },
  ),
  remoteNumaSpeed: part,
});

const job = (index: number) =>
  fc
    .tuple(
      lifeInput,
      some({ stages: fc.integer({ min: 2, max: 5 }), limitMs: length, tier, team }),
      fc.record({
        submitMs: ms,
        workMs: fc.integer({ min: 5, max: 10 * HOUR }),
        gpus: fc.integer({ min: 1, max: 16 }),
      }),
    )
    .map(([life, extra, base]) => ({
      id: `job-${index}`,
      ...base,
      ...(life.elastic === undefined ? {} : { gpus: life.elastic.maxMembers }),
      ...(life.checkpoint?.onSignal && extra.limitMs !== undefined ? { requeueAtLimit: true } : {}),
      ...life,
      ...extra,
    }));

const jobs = fc
  .integer({ min: 0, max: 4 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => job(index))));

const whose = fc.oneof(
  fc.record({ per: fc.constant("team"), name: team }),
  fc.record({ per: fc.constant("tier"), name: tier }),
  fc.constantFrom({ per: "team" }, { per: "user" }, { per: "user", name: "mira" }),
);
const failure = fc
  .tuple(
    fc.record({
      of: fc.constantFrom("gpu", "node", "leaf"),
      mtbfMs: fc.integer({ min: HOUR, max: 100 * HOUR }),
      repairMs: fc.integer({ min: 1, max: HOUR }),
    }),
    some({ repairSpread: fc.double({ min: 1, max: 5, noNaN: true }), correlated: part }),
  )
  .map(([base, extra]) => ({ ...base, ...extra }));
const windowEntry = (index: number) =>
  fc
    .tuple(
      fc.record({ startMs: ms, durationMs: length }),
      some({
        kind: fc.constantFrom("reserved", "maintenance"),
        everyMs: fc.integer({ min: 10 * HOUR, max: 30 * HOUR }),
        tiers: fc.array(tier, { maxLength: 2 }),
        kill: fc.boolean(),
      }),
      fc.constantFrom(
        { nodes: "n-000" },
        { nodes: "n-[000-001],m-001" },
        { nodeCount: 2 },
        { nodes: "m-[000-001]" },
      ),
    )
    .map(([base, extra, nodes]) => ({ name: `window ${index}`, ...base, ...extra, ...nodes }));
const service = (index: number) =>
  fc
    .tuple(
      fc.record({
        maxReplicas: fc.integer({ min: 1, max: 4 }),
        requestMs: fc.double({ min: 1, max: 10_000, noNaN: true }),
        demand: some({
          shape: fc.constantFrom("constant", "diurnal", "square", "points"),
          perSec: amount,
          swing: part,
          highPerSec: amount,
          periodMs: fc.integer({ min: 600_000, max: 10 * HOUR }),
          peakMs: ms,
          points: fc.array(fc.record({ atMs: ms, perSec: amount }), { minLength: 1, maxLength: 4 }),
        }),
      }),
      some({
        minReplicas: fc.constantFrom(0, 1),
        tier,
        gpusPerReplica: fc.constantFrom(1, 2),
      }),
    )
    .map(([base, extra]) => ({ id: `service-${index}`, ...base, ...extra }));
const two = <T>(entry: (index: number) => fc.Arbitrary<T>) =>
  fc.oneof(fc.constant([] as T[]), fc.tuple(entry(0)), fc.tuple(entry(0), entry(1)));

const teamEntries = fc.tuple(
  ...["red", "blue", "green"].map((id) =>
    some({ parent: team, quotaGpus: gpus, borrowGpus: gpus, lendGpus: gpus, budget: amount }).map(
      ({ parent, lendGpus, ...rest }) => ({
        id,
        ...rest,
        ...(parent === "green" && id !== "green" ? { parent } : {}),
        ...(lendGpus === undefined
          ? {}
          : { lendGpus: Math.min(lendGpus, rest.quotaGpus ?? lendGpus) }),
      }),
    ),
  ),
);
const tierEntries = fc.tuple(
  ...["critical", "high", "normal", "low"].map((id, index) =>
    some({
      kinds: fc.constant([(["inference", "training", "ci", "batch"] as const)[index]]),
      mayPreempt: fc.array(tier, { maxLength: 2 }),
      preemptMode: fc.constantFrom("cancel", "requeue", "suspend", "graceful", "wait"),
      graceMs: ms,
      guaranteedGpus: fc.integer({ min: 0, max: 2 }),
      capGpus: fc.integer({ min: 2, max: 16 }),
      targetWaitMs: length,
    }).map((rest) => ({ id, name: id, letter: id[0]!.toUpperCase(), ...rest })),
  ),
);

export const labScenarioInput = fc
  .record({
    cluster: fc
      .tuple(
        some({
          burst: some({
            startupMs: ms,
            idleTimeoutMs: ms,
            spotMeanMs: fc.integer({ min: HOUR, max: 9 * HOUR }),
          }),
          pricePerGpuHour: amount,
        }),
        some({
          network: some({
            nicGBps: fc.double({ min: 1, max: 400, noNaN: true }),
            rails: fc.boolean(),
          }),
          storage: fc.record({ writeGBps: fc.double({ min: 0.1, max: 400, noNaN: true }) }),
        }),
      )
      .map(([extra, rest]) => ({
        nodeGroups: [
          { id: "n", count: 4, gpus: 4 },
          { id: "m", count: 2, gpus: 8, ...extra },
        ],
        fabric: { nodesPerLeaf: 2 },
        ...rest,
      })),
    tiers: tierEntries,
    teams: teamEntries,
    pools: fc.constant([
      { id: "one", nodeGroups: ["n"], route: { kinds: ["inference"] } },
      { id: "two" },
    ]),
    limits: fc.array(
      fc.tuple(whose, fc.record({ gpus })).map(([a, b]) => ({ ...a, ...b })),
      { maxLength: 3 },
    ),
    disruptionBudgets: fc.array(
      fc.tuple(whose, fc.record({ jobs: gpus })).map(([a, b]) => ({ ...a, ...b })),
      { maxLength: 2 },
    ),
    failures: fc.array(failure, { minLength: 1, maxLength: 2 }),
    windows: two(windowEntry),
    services: two(service),
    workload: fc.tuple(jobs, lifeInput).map(([list, life]) => ({
      jobs: list,
      synthetic: [{ ...DRAWN, gpus: drawnSizes(life.elastic), ...life }],
    })),
    extra: some({ fleet: fc.constant({ serving: "one", batch: "two" }) }),
  })
  .map(({ extra, ...rest }) => ({ version: 1, horizonMs: 50 * HOUR, ...rest, ...extra }));

/** Sizes of an elastic class are within its range. */
function drawnSizes(elastic: { minMembers: number; maxMembers: number } | undefined) {
  const values = elastic === undefined ? [1, 8, 12] : [elastic.minMembers, elastic.maxMembers];
  return values.map((value) => ({ value, weight: 1 }));
}

const DRAWN = {
  id: "drawn",
  arrivals: { perHour: 2 },
  work: { medianMs: HOUR },
};
