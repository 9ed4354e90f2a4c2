import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JobFlag, nameOf } from "../../src/model/jobs.ts";
import type { World } from "../../src/model/world.ts";
import type { ScenarioInput } from "../../src/scenario/schema.ts";
import { expand } from "../../src/workload/expand.ts";
import { MINUTE, must, mustRead, scenario, small } from "../scenario/scenarios.ts";

const worldOf = (input: object): World => must(expand(mustRead({ ...small, ...input })));
const idsOf = (world: World): string[] =>
  Array.from({ length: world.jobs.count }, (_, job) => nameOf(world.jobs.ids, job));
const job = (id: string, submitMs: number, fields: object = {}) => ({
  id,
  submitMs,
  workMs: MINUTE,
  gpus: 1,
  ...fields,
});
const jobs = (...list: object[]) =>
  ({ workload: { jobs: list } }) as Pick<ScenarioInput, "workload">;

/** The components of a job as `members × GPUs`, with `=` where each member has a node of its own. */
function shapeOf(world: World, jobIdx: number): string {
  const { at, components } = world.jobs;
  const rows = Array.from(
    { length: at.firstComponent[jobIdx + 1]! - at.firstComponent[jobIdx]! },
    (_, i) => at.firstComponent[jobIdx]! + i,
  );
  return rows
    .map(
      (row) =>
        `${components.members[row]}×${components.gpus[row]}${components.ownNode[row] === 1 ? "=" : ""}`,
    )
    .join(" ");
}

describe("jobs are numbered by submit time", () => {
  test("equal times keep the order of the document", () => {
    expect(idsOf(worldOf(jobs(job("late", 9), job("a", 5), job("b", 5), job("first", 0))))).toEqual(
      ["first", "a", "b", "late"],
    );
  });

  test("injected jobs follow behind, in the order of the document, and change no number", () => {
    const before = worldOf(jobs(job("a", 5), job("b", 9)));
    const after = worldOf({
      ...jobs(job("a", 5), job("b", 9)),
      interventions: [
        { kind: "inject", atMs: 7, job: { id: "y", workMs: 1, gpus: 1 } },
        { kind: "inject", atMs: 1, job: { id: "x", workMs: 1, gpus: 1, submitMs: 3 } },
      ],
    });
    expect(idsOf(after)).toEqual([...idsOf(before), "y", "x"]);
    expect([...after.jobs.at.submitMs]).toEqual([5, 9, 7, 3]);
    expect([...after.jobs.at.flags].map((flags) => (flags & JobFlag.injected) !== 0)).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  test("the components of a job stay with it when jobs change places", () => {
    const world = worldOf(
      jobs(
        job("late", 9, { gpus: 3 }),
        job("early", 1, {
          gpus: undefined,
          components: [{ members: 2, gpusPerMember: 4 }, { gpusPerMember: 0 }],
        }),
      ),
    );
    expect([shapeOf(world, 0), shapeOf(world, 1)]).toEqual(["2×4 1×0", "3×1"]);
    expect([...world.jobs.at.gpuTotal]).toEqual([8, 3]);
  });
});

describe("the three ways to ask for GPUs", () => {
  test.each([
    ["GPUs in total are single members", { gpus: 5 }, "5×1"],
    [
      "nodes × GPUs are members on nodes of their own",
      { gpus: undefined, nodes: 2, gpusPerNode: 3 },
      "2×3=",
    ],
    ["nodes alone take the largest node whole", { gpus: undefined, nodes: 2 }, "2×4="],
    ["GPUs per node divide a total", { gpus: 6, gpusPerNode: 3 }, "2×3="],
  ])("%s", (_title, fields, shape) => {
    expect(shapeOf(worldOf(jobs(job("a", 0, fields))), 0)).toBe(shape);
  });

  test("CPUs and memory per GPU are counted for each member", () => {
    const { components } = worldOf(
      jobs(
        job("a", 0, {
          gpus: undefined,
          nodes: 1,
          gpusPerNode: 4,
          cpusPerGpu: 1.5,
          memGiBPerGpu: 2,
        }),
      ),
    ).jobs;
    expect([components.cpuMilli[0], components.memMiB[0]]).toEqual([6_000, 8_192]);
  });

  test("a share or a MIG slice is of one GPU", () => {
    const { components, migProfiles } = worldOf(
      jobs(
        job("a", 0, {
          gpus: undefined,
          components: [{ gpuShareMilli: 250 }, { migProfile: "1g.10gb" }],
        }),
      ),
    ).jobs;
    expect([...components.gpus]).toEqual([1, 1]);
    expect([...components.shareMilli]).toEqual([250, 0]);
    expect(migProfiles[components.mig[1]! - 1]).toBe("1g.10gb");
  });
});

describe("names become numbers", () => {
  test("a job that names no tier is in the middle one, without a team in a team of its own", () => {
    const world = worldOf({
      teams: [{ id: "red" }],
      ...jobs(job("a", 0), job("b", 1, { tier: "high", team: "red" })),
    });
    expect([...world.jobs.at.tier].map((tier) => world.tiers[tier]!.id)).toEqual([
      "normal",
      "high",
    ]);
    expect([...world.jobs.at.team].map((team) => world.teams[team]!.id)).toEqual(["", "red"]);
  });

  test("an array stands for all its members", () => {
    const world = worldOf({
      ...jobs(
        job("a", 0, { array: { count: 3 } }),
        job("b", 1, { after: [{ job: "a" }] }),
        job("c", 2, { after: [{ job: "a_1", kind: "afterAny" }] }),
      ),
      interventions: [{ kind: "cancel", atMs: 5, job: "a" }],
    });
    expect(idsOf(world)).toEqual(["a_0", "a_1", "a_2", "b", "c"]);
    expect(
      world.jobs.dependencies.map(({ jobIdx, onJobIdx, kind }) => ({ jobIdx, onJobIdx, kind })),
    ).toEqual([
      { jobIdx: 3, onJobIdx: 0, kind: "afterOk" },
      { jobIdx: 3, onJobIdx: 1, kind: "afterOk" },
      { jobIdx: 3, onJobIdx: 2, kind: "afterOk" },
      { jobIdx: 4, onJobIdx: 1, kind: "afterAny" },
    ]);
    expect(world.changes.map((change) => (change.kind === "cancel" ? change.jobIdx : -1))).toEqual([
      0, 1, 2,
    ]);
  });

  test("interventions act in order of time, then of the document; a policy for all pools is one change each", () => {
    const world = worldOf({
      ...jobs(job("a", 0)),
      cluster: {
        nodeGroups: [
          { id: "n", count: 2, gpus: 4 },
          { id: "m", count: 1, gpus: 2 },
        ],
      },
      pools: [{ id: "p", nodeGroups: ["n"] }, { id: "q" }],
      interventions: [
        { kind: "drain", atMs: 9, nodes: ["m-000", "n-001"] },
        { kind: "policy", atMs: 4, policy: { settings: { backfill: "none" } } },
        { kind: "retier", atMs: 4, job: "a", tier: "low" },
      ],
    });
    expect(world.changes.map(({ atMs, source, kind }) => [atMs, source, kind])).toEqual([
      [4, 1, "policy"],
      [4, 1, "policy"],
      [4, 2, "retier"],
      [9, 0, "drain"],
    ]);
    expect(world.changes[3]).toMatchObject({ nodes: [2, 1] });
    expect([...world.poolOfNode]).toEqual([0, 0, 1]);
  });

  test("a job goes to the first pool that takes it; one that no pool takes is a problem", () => {
    const cluster = { nodeGroups: [{ id: "n", count: 2, gpus: 4 }] };
    const pools = [
      { id: "inference", route: { kinds: ["inference" as const] } },
      { id: "rest", route: { tiers: ["normal"] } },
    ];
    const list = jobs(job("a", 0), job("b", 1, { kind: "inference" }));
    expect([...worldOf({ cluster, pools, ...list }).poolOfJob]).toEqual([1, 0]);
    const homeless = expand(mustRead({ ...small, pools, ...jobs(job("a", 0, { tier: "low" })) }));
    expect(homeless.ok ? "" : homeless.error[0]?.message).toBe("1 jobs are routed to no pool.");
  });
});

describe("the cluster is laid out in rows", () => {
  test("nodes follow their groups; leaves and NVSwitch domains are runs of nodes", () => {
    const { cluster } = worldOf({
      cluster: {
        nodeGroups: [
          { id: "a", count: 3, gpus: 2, nvswitchNodes: 2 },
          { id: "b", count: 3, gpus: 4, nvswitchNodes: 0 },
        ],
        fabric: { nodesPerLeaf: 2, leavesPerSpine: 2 },
      },
    });
    expect(cluster.nodeNames).toEqual(["a-000", "a-001", "a-002", "b-000", "b-001", "b-002"]);
    expect([...cluster.deviceBase]).toEqual([0, 2, 4, 6, 10, 14, 18]);
    expect([...cluster.leafOfNode]).toEqual([0, 0, 1, 1, 2, 2]);
    expect([...cluster.spineOfLeaf]).toEqual([0, 0, 1]);
    expect([...cluster.nvswitchOfNode]).toEqual([0, 0, 1, -1, -1, -1]);
    expect([cluster.nvswitchCount, cluster.spineCount, cluster.hasFabric]).toEqual([2, 2, true]);
  });

  test("a flat machine is one node of processors", () => {
    const { cluster } = worldOf({
      cluster: { nodeGroups: [{ id: "machine", count: 1, gpus: 100 }], flat: true },
    });
    expect([cluster.nodeNames, cluster.deviceCount, cluster.deviceWord]).toEqual([
      ["machine"],
      100,
      "processor",
    ]);
  });
});

test("the same scenario expands to the same world, to the bit", () => {
  fc.assert(
    fc.property(scenario, (original) => {
      expect(isDeepStrictEqual(expand(structuredClone(original)), expand(original))).toBe(true);
    }),
  );
});

test("every job table is well formed: ordered, components contiguous, ids unique", () => {
  fc.assert(
    fc.property(scenario, (original) => {
      const { jobs: table } = must(expand(original));
      const injected = original.interventions.filter((entry) => entry.kind === "inject").length;
      const { submitMs, beginMs, firstComponent } = table.at;
      const every = (holds: (jobIdx: number) => boolean) =>
        Array.from(submitMs, (_, i) => holds(i)).every(Boolean);
      expect(
        every((i) => i === 0 || i >= table.count - injected || submitMs[i]! >= submitMs[i - 1]!),
      ).toBe(true);
      expect(every((i) => beginMs[i]! >= submitMs[i]!)).toBe(true);
      expect(every((i) => firstComponent[i + 1]! > firstComponent[i]!)).toBe(true);
      expect(firstComponent[table.count]).toBe(table.components.members.length);
      expect(
        new Set(Array.from({ length: table.count }, (_, i) => nameOf(table.ids, i))).size,
      ).toBe(table.count);
    }),
  );
});

describe("what would not fit into memory or a column", () => {
  test("two arrays that wait for each other's members are refused by their product", () => {
    const expanded = expand(
      mustRead({
        ...small,
        ...jobs(
          job("a", 0, { array: { count: 2_000 } }),
          job("b", 0, { array: { count: 2_000 }, after: [{ job: "a" }] }),
        ),
      }),
    );
    expect(!expanded.ok && expanded.error[0]).toMatchObject({
      place: "/workload/jobs/1/after/0",
      message: expect.stringContaining("2000000"),
    });
  });

  test("CPUs and memory beyond 32 bits stay more than any node has", () => {
    const { components } = worldOf(
      jobs(
        job("a", 0, {
          gpusPerNode: 60_000,
          gpus: undefined,
          cpusPerGpu: 99_999,
          memGiBPerGpu: 99_999,
        }),
      ),
    ).jobs;
    expect([components.cpuMilli[0], components.memMiB[0]]).toEqual([2_147_483_647, 2_147_483_647]);
  });

  test.each([
    ["gpuModel", "GPU models"],
    ["migProfile", "MIG profiles"],
  ])("a column of 8 bits counts 255 different values of %s and no more", (field, words) => {
    const asking = (count: number) =>
      expand(
        mustRead({
          ...small,
          ...jobs(
            ...Array.from({ length: count }, (_, i) =>
              job(`j${i}`, 0, { gpus: undefined, components: [{ [field]: `name-${i}` }] }),
            ),
          ),
        }),
      );
    expect(asking(255).ok).toBe(true);
    const refused = asking(256);
    expect(!refused.ok && refused.error[0]?.message).toContain(`256 different ${words}`);
  });
});
