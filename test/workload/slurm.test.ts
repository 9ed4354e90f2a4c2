import { describe, expect, test } from "vitest";
import { JobFlag, nameOf } from "../../src/model/jobs.ts";
import { NO_REQUEST } from "../../src/model/slurm/request.ts";
import type { World } from "../../src/model/world.ts";
import { expand } from "../../src/workload/expand.ts";
import { MINUTE, must, mustRead } from "../scenario/scenarios.ts";

const CONF = [
  "NodeName=n[1-4] CPUs=64 Gres=gpu:8 State=UNKNOWN",
  "PartitionName=batch Nodes=ALL Default=YES",
  "PartitionName=fast Nodes=n[1-2]",
  "",
].join("\n");

const cluster = {
  nodeGroups: [{ id: "n", count: 4, names: "n[1-4]", gpus: 8, cpus: 64, memGiB: 512 }],
};
const files = { conf: CONF, gres: "", topology: "", accounting: "" };
const base = {
  version: 1,
  cluster,
  queues: ["fast", "batch"],
  pools: [{ id: "all", policy: { preset: "slurm", slurm: files, settings: {} } }],
};
const job = (id: string, submitMs: number, fields: object = {}) => ({
  id,
  submitMs,
  workMs: MINUTE,
  slurm: {},
  ...fields,
});
const input = (jobs: object[], more: object = {}) => ({ ...base, workload: { jobs }, ...more });
const worldOf = (jobs: object[], more: object = {}): World =>
  must(expand(mustRead(input(jobs, more))));

function problems(jobs: object[], more: object = {}) {
  const world = expand(mustRead(input(jobs, more)));
  return world.ok ? [] : world.error;
}

function shapeOf(world: World, jobIdx: number): string {
  const { at, components } = world.jobs;
  const row = at.firstComponent[jobIdx]!;
  const own = components.ownNode[row] === 1 ? "=" : "";
  const cpus = components.cpuMilli[row]! / 1_000;
  return `${components.members[row]}×${components.gpus[row]}${own} ${cpus} cpus ${components.memMiB[row]} MiB`;
}

describe("a request of Slurm as components", () => {
  test.each([
    ["nothing: one CPU", {}, {}, "1×0 1 cpus 0 MiB"],
    ["tasks", { ntasks: 6, cpusPerTask: 4 }, {}, "6×0 4 cpus 0 MiB"],
    ["tasks on nodes", { minNodes: 2, ntasks: 6, cpusPerTask: 4 }, {}, "2×0= 12 cpus 0 MiB"],
    ["tasks a node", { minNodes: 2, ntasksPerNode: 3 }, {}, "2×0= 3 cpus 0 MiB"],
    ["nodes with GPUs", { minNodes: 3, gpusPerNode: 8 }, {}, "3×8= 1 cpus 0 MiB"],
    ["GPUs in total", { gpus: 6, cpusPerTask: 12 }, {}, "6×1 2 cpus 0 MiB"],
    ["GPUs in total, so many a node", { gpus: 16, gpusPerNode: 8 }, {}, "2×8= 1 cpus 0 MiB"],
    ["GPUs a task", { gpusPerTask: 2, ntasks: 3, cpusPerTask: 5 }, {}, "3×2 5 cpus 0 MiB"],
    ["memory a node", { minNodes: 2, memPerNodeMiB: 700 }, {}, "2×0= 1 cpus 700 MiB"],
    ["memory a GPU", { gpus: 4, memPerGpuMiB: 100 }, {}, "4×1 0.25 cpus 100 MiB"],
    ["the job's own size", {}, { nodes: 2, gpusPerNode: 4 }, "2×4= 1 cpus 0 MiB"],
    ["the job's own total", { ntasks: 2 }, { gpus: 4 }, "4×1 0.5 cpus 0 MiB"],
    ["whole nodes", {}, { nodes: 2 }, "2×8= 1 cpus 0 MiB"],
  ])("%s", (_, slurm, size, shape) => {
    expect(shapeOf(worldOf([job("a", 0, { slurm, ...size })]), 0)).toBe(shape);
  });

  test("where the cluster counts no CPUs and no memory nobody asks for them", () => {
    const bare = { cluster: { nodeGroups: [{ id: "n", count: 4, names: "n[1-4]", gpus: 8 }] } };
    const world = worldOf([job("a", 0, { slurm: { ntasks: 2, memPerCpuMiB: 5 } })], bare);
    expect(shapeOf(world, 0)).toBe("2×0 0 cpus 0 MiB");
  });

  test("on a flat machine a job's processors are its size", () => {
    const flat = {
      cluster: { flat: true, nodeGroups: [{ id: "m", count: 1, gpus: 64 }] },
      queues: [],
      pools: [{ id: "all", policy: { preset: "slurm" } }],
    };
    expect(shapeOf(worldOf([job("a", 0, { slurm: { ntasks: 12 } })], flat), 0)).toBe(
      "12×1 0 cpus 0 MiB",
    );
  });
});

describe("what a job asks of Slurm", () => {
  test("one number of nodes is the least and the most; host lists are names", () => {
    const slurm = {
      minNodes: 2,
      nodelist: "n[1-2]",
      exclude: "n4",
      switches: { count: 1 },
      signal: { beforeMs: 9 },
    };
    const world = worldOf([job("a", 0, { slurm, limitMs: MINUTE })]);
    expect(world.jobs.slurm.get(0)).toEqual({
      ...NO_REQUEST,
      minNodes: 2,
      maxNodes: 2,
      nodelist: ["n1", "n2"],
      exclude: ["n4"],
      switches: 1,
      switchWaitMs: Number.POSITIVE_INFINITY,
      signalBeforeMs: 9,
    });
  });

  test("equal requests are one object, and a job without a limit is told from one with", () => {
    const slurm = { gpus: 2 };
    const { jobs } = worldOf([
      job("a", 0, { slurm }),
      job("b", 0, { slurm }),
      job("c", 0, { slurm, limitMs: MINUTE }),
    ]);
    expect(jobs.slurm.get(0)).toBe(jobs.slurm.get(1));
    expect([jobs.slurm.get(1)!.noTimeLimit, jobs.slurm.get(2)!.noTimeLimit]).toEqual([true, false]);
  });

  test("tasks of an array have the numbers given, and know their array", () => {
    const array = { count: 3, indices: [1, 5, 9], atOnce: 2 };
    const { jobs } = worldOf([job("a", 0, { array })]);
    expect([0, 1, 2].map((row) => nameOf(jobs.ids, row))).toEqual(["a_1", "a_5", "a_9"]);
    expect(jobs.slurm.get(1)).toMatchObject({ arrayId: "a", arrayIndex: 5, arrayMost: 2 });
  });

  test("work that fails is flagged", () => {
    const { at } = worldOf([job("a", 0, { fails: true })]).jobs;
    expect(at.flags[0]! & JobFlag.fails).toBe(JobFlag.fails);
  });
});

describe("dependencies", () => {
  const edges = (world: World) =>
    world.jobs.dependencies.map((edge) => {
      const flags = `${edge.anyOf ? "?" : ""}${edge.singleton ? "!" : ""}`;
      return `${nameOf(world.jobs.ids, edge.jobIdx)} ${edge.kind}${flags} ${nameOf(world.jobs.ids, edge.onJobIdx)}`;
    });

  test("of arrays, task by task where that is asked for", () => {
    const array = { count: 2 };
    const world = worldOf([
      job("a", 0, { array: { count: 3 } }),
      job("b", 1, { array, after: [{ job: "a", each: true }] }),
      job("c", 1, { array, after: [{ job: "a_2", each: true }] }),
    ]);
    expect(edges(world)).toEqual([
      "b_0 afterOk a_0",
      "b_1 afterOk a_1",
      "c_0 afterOk a_2",
      "c_1 afterOk a_2",
    ]);
  });

  test("alternatives, and a time after the start; other kinds have none", () => {
    const after = [
      { job: "a", kind: "after", delayMs: 5 },
      { job: "a", kind: "afterAny", delayMs: 5 },
    ];
    const world = worldOf([job("a", 0), job("b", 0, { after, afterAnyOf: true })]);
    expect(edges(world)).toEqual(["b after? a", "b afterAny? a"]);
    expect(world.jobs.dependencies.map((edge) => edge.delayMs)).toEqual([5, 0]);
  });

  test("a singleton waits for the one before it and what came between, of its user and name", () => {
    const named = (id: string, submitMs: number, fields: object) =>
      job(id, submitMs, { name: "train", user: "ada", ...fields });
    const world = worldOf([
      named("a", 0, {}),
      named("b", 1, { singleton: true }),
      named("c", 2, {}),
      named("d", 3, { singleton: true }),
      named("e", 4, { user: "bob", singleton: true }),
      named("f", 5, { singleton: true }),
    ]);
    expect(edges(world)).toEqual([
      "b afterAny! a",
      "d afterAny! b",
      "d afterAny! c",
      "f afterAny! d",
    ]);
  });

  test("a thousand singletons make a thousand edges", () => {
    const many = job("a", 0, { name: "x", array: { count: 1_000 }, singleton: true });
    expect(worldOf([many]).jobs.dependencies.length).toBe(999);
  });

  test("an injected job leaves the edges before it where they are", () => {
    const jobs = [
      job("a", 0, { name: "x", singleton: true }),
      job("b", 9, { name: "x", singleton: true }),
      job("c", 9, { after: [{ job: "a" }] }),
    ];
    const inject = {
      kind: "inject",
      atMs: 5,
      job: { id: "i", name: "x", workMs: 1, slurm: {}, singleton: true },
    };
    const before = edges(worldOf(jobs));
    const after = edges(worldOf(jobs, { interventions: [inject] }));
    expect(before).toEqual(["c afterOk a", "b afterAny! a"]);
    expect(after).toEqual(["c afterOk a", "i afterAny! a", "b afterAny! i"]);
  });
});

describe("the policy of a Slurm pool", () => {
  test("is what its texts say", () => {
    const { settings } = worldOf([]).pools[0]!;
    expect(settings.slurm?.partitions.map((partition) => partition.name)).toEqual([
      "batch",
      "fast",
    ]);
    expect(settings.settings).toEqual({ controllerStartMs: 0 });
  });

  test("without texts has Slurm's defaults", () => {
    const world = worldOf([], { pools: [{ id: "all", policy: { preset: "slurm" } }] });
    expect(world.pools[0]!.settings.slurm?.schedulerType).toBe("backfill");
  });

  test.each([
    ["an unknown node", CONF.replace("n[1-4]", "n[1-5]"), 'node "n5"'],
    ["other GPUs", CONF.replace("gpu:8", "gpu:4"), '"n1" 4 GPUs'],
    ["too many CPUs", CONF.replace("CPUs=64", "CPUs=128"), '"n1" 128 CPUs'],
  ])("%s in its texts is a problem that names the node", (_, conf, words) => {
    const pools = [{ id: "all", policy: { preset: "slurm", slurm: { ...files, conf } } }];
    const [problem] = problems([], { pools });
    expect(problem?.message).toContain(words);
    expect(problem?.place).toMatch(/^\/pools\/0\/policy\/slurm\/conf/);
    expect(problem?.remedy).not.toBe("");
  });

  test("a fault in a text is told with file and line", () => {
    const conf = `${CONF}Nonsense line here\n`;
    const pools = [{ id: "all", policy: { preset: "slurm", slurm: { ...files, conf } } }];
    expect(problems([], { pools })[0]?.place).toMatch(/^\/pools\/0\/policy\/slurm\/conf:4/);
  });

  test("jobs that name no account, QOS or partition get those of their user", () => {
    const accounting = [
      "sacctmgr -i add qos high",
      "sacctmgr -i modify qos high set priority=10",
      "sacctmgr -i add account ml",
      "sacctmgr -i add user ada account=ml defaultqos=high qos=normal,high",
    ].join("\n");
    const more = {
      tiers: [
        { id: "high", name: "High", letter: "H" },
        { id: "normal", name: "Normal", letter: "N" },
      ],
      teams: [{ id: "other" }, { id: "ml" }],
      pools: [{ id: "all", policy: { preset: "slurm", slurm: { ...files, accounting } } }],
    };
    const jobs = [
      job("a", 0, { user: "ada" }),
      job("b", 0, { user: "bob" }),
      job("c", 0, { user: "ada", tier: "normal", team: "other", queue: "fast" }),
    ];
    const world = worldOf(jobs, more);
    const seen = [0, 1, 2].map((row) => {
      const { tier, team, queue } = world.jobs.at;
      return `${world.tiers[tier[row]!]!.id} ${world.teams[team[row]!]!.id} ${world.queues[queue[row]!]}`;
    });
    expect(seen).toEqual(["high ml batch", "normal  batch", "normal other fast"]);
  });
});

describe("nodes and switches", () => {
  test("nodes are called by the host list of their group", () => {
    expect(worldOf([]).cluster.nodeNames).toEqual(["n1", "n2", "n3", "n4"]);
  });

  test("nodes stand leaf by leaf, in the order of their groups within a leaf", () => {
    const tree = [
      { name: "top", switches: ["west", "east"] },
      { name: "east", nodes: "n[1,3]" },
      { name: "west", nodes: "n[4,2]" },
    ];
    const { cluster: laid } = worldOf([], {
      cluster: { ...cluster, switches: tree },
    });
    expect(laid.nodeNames).toEqual(["n2", "n4", "n1", "n3"]);
    expect([...laid.leafOfNode]).toEqual([0, 0, 1, 1]);
    expect([laid.leafNames, [...laid.spineOfLeaf], laid.spineCount]).toEqual([
      ["west", "east"],
      [0, 0],
      1,
    ]);
    expect(laid.hasFabric).toBe(true);
  });

  test("a node without a switch stands behind the others", () => {
    const tree = [{ name: "s", nodes: "n[3-4]" }];
    const { cluster: laid } = worldOf([], { cluster: { ...cluster, switches: tree } });
    expect(laid.nodeNames).toEqual(["n3", "n4", "n1", "n2"]);
    expect([laid.leafNames, laid.spineCount]).toEqual([["s", "no switch"], 2]);
  });
});

describe("interventions", () => {
  test("commands are about each job of the id", () => {
    const interventions = [
      { kind: "hold", atMs: 1, job: "a" },
      { kind: "requeue", atMs: 2, job: "a_1", hold: true },
      { kind: "update", atMs: 3, job: "a_0", nice: 5 },
    ];
    const world = worldOf([job("a", 0, { array: { count: 2 } })], { interventions });
    expect(world.changes).toEqual([
      { atMs: 1, source: 0, kind: "hold", jobIdx: 0, by: "admin" },
      { atMs: 1, source: 0, kind: "hold", jobIdx: 1, by: "admin" },
      { atMs: 2, source: 1, kind: "requeue", jobIdx: 1, hold: true },
      { atMs: 3, source: 2, kind: "update", jobIdx: 0, limitMs: null, nice: 5, priority: null },
    ]);
  });

  test("a reservation is of nodes by name, all of them, or a number", () => {
    const reserve = (fields: object) => ({
      kind: "reserve",
      atMs: 0,
      name: "r",
      startMs: 5,
      endMs: 9,
      flags: ["maint"],
      ...fields,
    });
    const interventions = [
      reserve({ nodes: "n[1-2]" }),
      reserve({ nodes: "ALL" }),
      reserve({ nodeCount: 3 }),
    ];
    const seen = worldOf([], { interventions }).changes.map((change) =>
      change.kind === "reserve" ? change.reservation : null,
    );
    expect(seen.map((each) => [each?.nodes, each?.allNodes, each?.nodeCount])).toEqual([
      [["n1", "n2"], false, 0],
      [[], true, 0],
      [[], false, 3],
    ]);
    expect(seen[0]?.flags).toEqual(["MAINT"]);
  });
});
