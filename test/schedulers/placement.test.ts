import { describe, expect, test } from "vitest";
import { type JobTable, nameOf } from "../../src/model/jobs.ts";
import { type NodeWish, PLAIN_LIFE } from "../../src/model/lab/jobLife.ts";
import type { SettingValue } from "../../src/model/policy.ts";
import { START_REASONS, STOP_REASONS } from "../../src/model/reasons.ts";
import type { World } from "../../src/model/world.ts";
import { DecisionKindCode, jobOfMove, nodeOfMove } from "../../src/record/shapes.ts";
import { addWalk } from "../../src/schedulers/lab/lab.ts";
import { walk } from "../../src/schedulers/lab/walk/walk.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { draw, runLines, runWorld, waitReasonLines } from "../support/draw.ts";
import { gaugeOf, sameWithSnapshots } from "../support/labRuns.ts";
import { type JobSpec, jobNamed, worldFromText, worldOf } from "../support/world.ts";
import { labPool } from "./policyDocs.ts";

addWalk(walk);

type Given = Readonly<Record<string, SettingValue>>;

const ANY_NODE: NodeWish = { exclusive: false, labels: {}, models: [], remoteNumaQ16: 65_536 };

interface Changes {
  readonly wishes?: Readonly<Record<string, Partial<NodeWish>>>;
  /** One node group for each node, with these fields of its own. */
  readonly groups?: readonly Partial<World["cluster"]["groups"][number]>[];
}

function changed(world: World, { wishes, groups }: Changes): World {
  const lab: JobTable["lab"] = new Map(
    Object.entries(wishes ?? {}).map(([name, wish]) => [
      jobNamed(world, name),
      { ...PLAIN_LIFE, nodes: { ...ANY_NODE, ...wish } },
    ]),
  );
  const first = world.cluster.groups[0]!;
  const cluster =
    groups === undefined
      ? world.cluster
      : {
          ...world.cluster,
          groups: groups.map((group, i) => ({ ...first, id: `g${i}`, ...group })),
          nodeGroup: Uint16Array.from(groups, (_, i) => i),
        };
  return { ...world, cluster, jobs: { ...world.jobs, lab } };
}

function run(settings: Given, text: string, changes: Changes = {}) {
  const world = changed(worldFromText(text, { pools: [labPool(settings)] }), changes);
  return runWorld(world, schedulerOf);
}

/** A job of several slices, in this order. */
const slices = (name: string, profiles: readonly string[], workMs: number): JobSpec => ({
  name,
  submitMs: 0,
  workMs,
  components: profiles.map((mig) => ({ members: 1, gpus: 1, mig })),
});

describe("MIG slices on an H100 of 80 GB", () => {
  const oneGpu = "1 nodes x 1 gpus\n";

  test("first fit puts a 3g at the first place, and a 4g that fits nowhere else waits for it", () => {
    const text = `${oneGpu}0s A x1 5s mig 3g.40gb\n0s B x1 3s mig 4g.40gb`;
    expect(runLines(run({ migPacking: "firstFit", backfill: "none" }, text))).toEqual([
      "A#1 0-5s x1 completed",
      "B#1 5-8s x1 completed",
    ]);
  });

  test("least damage puts the 3g at place 4, and both run at once", () => {
    const text = `${oneGpu}0s A x1 5s mig 3g.40gb\n0s B x1 3s mig 4g.40gb`;
    expect(runLines(run({ migPacking: "bestFit", backfill: "none" }, text))).toEqual([
      "B#1 0-3s x1 completed",
      "A#1 0-5s x1 completed",
    ]);
  });

  test("a layout of one job is searched for: 3g and 4g on one GPU, whatever comes first", () => {
    const layout = (migPacking: string, profiles: readonly string[]) =>
      runLines(
        runWorld(
          worldOf({
            cluster: { nodes: 1, gpus: 1 },
            jobs: [slices("L", profiles, 2_000)],
            pools: [labPool({ migPacking })],
          }),
          schedulerOf,
        ),
      );
    expect(layout("search", ["3g.40gb", "4g.40gb"])).toEqual(["L#1 0-2s x2 completed"]);
    expect(layout("firstFit", ["4g.40gb", "3g.40gb"])).toEqual(["L#1 0-2s x2 completed"]);
    expect(layout("firstFit", ["3g.40gb", "4g.40gb"])).toEqual(["L#0 0-0s x0 refused"]);
    const twice = ["1g.20gb", "1g.20gb", "1g.20gb", "1g.20gb", "1g.10gb"];
    expect(layout("search", twice)).toEqual(["L#0 0-0s x0 refused"]);
  });

  test("slices and shares never meet on one GPU", () => {
    const text = `1 nodes x 2 gpus\n0s A x1 5s mig 1g.10gb\n0s B x1 5s share 100\n0s C x1 5s mig 2g.20gb\n0s D x1 5s share 900\n0s E x1 2s mig 7g.80gb`;
    const outcome = run({ migPacking: "firstFit", backfill: "none" }, text);
    expect(runLines(outcome).at(-1)).toBe("E#1 5-7s x1 completed");
    expect(draw(outcome)).toBe("gpu0 +++++EE\ngpu1 +++++..");
  });

  test("by default each slice has a GPU of its own", () => {
    const text = "1 nodes x 2 gpus\n0s A x3 2s mig 1g.10gb any";
    expect(draw(run({ backfill: "none" }, text))).not.toContain("+");
  });
});

describe("shares of GPUs", () => {
  const text =
    "1 nodes x 3 gpus\n0s A x1 9s share 200\n0s B x1 9s share 600\n0s C x1 9s share 500\n1s D x1 5s share 400";
  const deviceOfD = (sharePacking: string) => draw(run({ sharePacking, backfill: "none" }, text));

  test("go to the first GPU in use with room, to the tightest, or to the emptiest", () => {
    // A and B are together on GPU 0 (800); C is on GPU 1 (500); D asks for 400.
    expect(deviceOfD("firstUsed")).toBe("gpu0 +++++++++\ngpu1 C+++++CCC\ngpu2 .........");
    expect(deviceOfD("tightest")).toBe("gpu0 +++++++++\ngpu1 C+++++CCC\ngpu2 .........");
    // Spread: A, B and C each on its own; D joins the one with most left, A's.
    expect(deviceOfD("spread")).toBe("gpu0 A+++++AAA\ngpu1 BBBBBBBBB\ngpu2 CCCCCCCCC");
  });

  test("tightest prefers 250 left to 300 left, the first in use does not", () => {
    const two =
      "1 nodes x 2 gpus\n0s A x1 9s share 700\n0s B x1 9s share 750\n1s C x1 2s share 250";
    expect(draw(run({ sharePacking: "firstUsed" }, two))).toBe("gpu0 A++AAAAAA\ngpu1 BBBBBBBBB");
    expect(draw(run({ sharePacking: "tightest" }, two))).toBe("gpu0 AAAAAAAAA\ngpu1 B++BBBBBB");
  });
});

describe("labels and GPU models", () => {
  const cluster = "3 nodes x 2 gpus\n";
  const groups = [
    { gpuModel: "A100", labels: { zone: "a" } },
    { gpuModel: "H100", labels: { zone: "b" } },
    { gpuModel: "V100", labels: { zone: "b" } },
  ];

  test("a label is a condition: the job waits for its node though others are free", () => {
    const outcome = run({ backfill: "none" }, `${cluster}0s A x2 5s\n0s B x2 3s`, {
      wishes: {
        A: { labels: { zone: "b" } },
        B: { labels: { zone: "b" }, models: [{ model: "H100", speedQ16: 65_536 }] },
      },
      groups,
    });
    expect(draw(outcome)).toBe(
      [
        "n0g0 ........",
        "n0g1 ........",
        "n1g0 AAAAABBB",
        "n1g1 AAAAABBB",
        "n2g0 ........",
        "n2g1 ........",
      ].join("\n"),
    );
  });

  test("of several models the fastest that is free is taken; a gang stays on the fastest that holds it", () => {
    const models = [
      { model: "V100", speedQ16: 20_000 },
      { model: "A100", speedQ16: 40_000 },
      { model: "H100", speedQ16: 65_536 },
    ];
    const outcome = run({ backfill: "none" }, `${cluster}0s A x1 4s\n0s B x2 4s\n0s C x3 2s`, {
      wishes: { A: { models }, B: { models }, C: { models } },
      groups,
    });
    expect(draw(outcome)).toBe(
      [
        "n0g0 BBBBBBB",
        "n0g1 BBBBBBB",
        "n1g0 AAAA...",
        "n1g1 CCCCCCC",
        "n2g0 CCCCCCC",
        "n2g1 CCCCCCC",
      ].join("\n"),
    );
  });

  test("a label that no node has means that the job can never run", () => {
    const outcome = run({}, `${cluster}0s A x1 4s`, {
      wishes: { A: { labels: { zone: "z" } } },
      groups,
    });
    expect(runLines(outcome)).toEqual(["A#0 0-0s x0 refused"]);
  });
});

test("a job on exclusive nodes waits until one is empty, and nobody joins it", () => {
  const outcome = run(
    { backfill: "easy" },
    "2 nodes x 2 gpus, 8 cpus\n0s A x1 3s\n0s B x1 6s limit 6s\n1s E x1 4s limit 4s\n2s D x1 2s limit 2s\n3s F x2 1s limit 1s",
    { wishes: { E: { exclusive: true } } },
  );
  // A and B share node 0; E has all of node 1; D joins B's node when A has ended; F's two members wait for D and E.
  expect(draw(outcome)).toBe(
    ["n0g0 AAADDF", "n0g1 BBBBBB", "n1g0 .EEEEF", "n1g1 .EEEE."].join("\n"),
  );
});

test("CPUs kept for GPUs: work without a GPU leaves one for each GPU", () => {
  const text =
    "1 nodes x 2 gpus, 4 cpus\n0s A 3*0 5s cpus 1 any min 1\n0s B 2*0 5s cpus 1\n1s G x2 2s cpus 1";
  const without = run({ backfill: "skip" }, text.replace(" any min 1", ""));
  expect(runLines(without)).toEqual([
    "A#1 0-5s x0 completed",
    "G#1 5-7s x2 completed",
    "B#1 5-10s x0 completed",
  ]);
  const kept = run(
    { backfill: "skip", cpuReserve: 1 },
    text.replace("A 3*0 5s cpus 1 any min 1", "A 2*0 5s cpus 1"),
  );
  expect(runLines(kept)).toEqual([
    "G#1 1-3s x2 completed",
    "A#1 0-5s x0 completed",
    "B#1 5-10s x0 completed",
  ]);
});

test("CPUs kept for GPUs stay closed while the GPUs are in use: a GPU job may take more of them, or fewer", () => {
  const starts = (gpuCpus: number) =>
    runLines(
      run(
        { backfill: "skip", cpuReserve: 2 },
        `1 nodes x 2 gpus, 8 cpus\n0s G 2*1 9s cpus ${gpuCpus}\n1s A 4*0 5s cpus 1\n1s B 1*0 5s cpus 1`,
      ),
    );
  // Four of eight are closed to A and B, whatever G has of them; with three each, G has one of theirs too.
  expect(starts(1)).toContain("B#1 6-11s x0 completed");
  expect(starts(2)).toContain("B#1 6-11s x0 completed");
  expect(starts(1)).toContain("A#1 1-6s x0 completed");
  expect(starts(3)).toContain("B#1 1-6s x0 completed");
  expect(starts(3)).toContain("A#1 9-14s x0 completed");
});

describe("NUMA domains of four GPUs", () => {
  const groups = [{ numaDomains: 2 }];
  const text = "1 nodes x 8 gpus\n0s A x1 6s\n0s B x1 9s\n1s F 1x4 3s\n1s G 1x3 2s";

  test("ignored: the lowest free GPUs, across the sockets", () => {
    const rows = draw(run({ backfill: "none" }, text, { groups })).split("\n");
    expect(rows.slice(2, 6).map((row) => row.slice(5, 9))).toEqual([
      ".FFF",
      ".FFF",
      ".FFF",
      ".FFF",
    ]);
  });

  test("required: a member of four lies on one socket", () => {
    const rows = draw(run({ backfill: "none", numa: "single" }, text, { groups })).split("\n");
    expect(rows.slice(4).map((row) => row.slice(5, 9))).toEqual([".FFF", ".FFF", ".FFF", ".FFF"]);
  });

  test("required: where each socket has lost a GPU the four wait; preferred: they do not", () => {
    const halves = "1 nodes x 8 gpus\n0s A 1x3 2s\n0s B 1x3 4s\n1s F 1x4 3s limit 3s";
    const start = (numa: string) =>
      runLines(run({ numa, backfill: "none" }, halves, { groups })).at(-1);
    // A and B have a socket each: three GPUs, one left; four are not free before A ends.
    expect(start("single")).toBe("F#1 2-5s x4 completed");
    const ones = "1 nodes x 8 gpus\n0s A 2*1 2s\n0s B 1x3 9s\n0s C 1x1 4s\n1s F 1x4 3s limit 3s";
    expect(runLines(run({ numa: "prefer", backfill: "none" }, ones, { groups }))).toContain(
      "F#1 2-5s x4 completed",
    );
  });

  test("a member across two sockets runs at its own factor; one socket where that is preferred", () => {
    const four = "1 nodes x 8 gpus\n0s A 1x2 9s\n0s F 1x4 3s";
    const wishes = { F: { remoteNumaQ16: 32_768 } };
    const endOf = (numa: string) =>
      runLines(run({ numa, backfill: "none" }, four, { groups, wishes })).find(
        (line) => line[0] === "F",
      );
    expect(endOf("ignore")).toBe("F#1 0-6s x4 completed");
    expect(endOf("prefer")).toBe("F#1 0-3s x4 completed");
  });

  test("a member with more than a socket can never run where one is required", () => {
    expect(runLines(run({ numa: "single" }, "1 nodes x 8 gpus\n0s A 1x6 2s", { groups }))).toEqual([
      "A#0 0-0s x0 refused",
    ]);
  });
});

describe("leaves of unequal size", () => {
  const sizes = [1, 1, 2, 2, 2, 3, 3, 3, 5, 5, 6, 6, 6, 8, 11];
  function gangs(settings: Given) {
    const nodes = sizes.reduce((sum, size) => sum + size, 0);
    const names = ["A", "B", "C", "D", "E", "F", "G", "H"];
    const base = worldFromText(
      [`${nodes} nodes x 1 gpus`, ...names.map((name) => `0s ${name} 8x1 60s`)].join("\n"),
      { pools: [labPool(settings)] },
    );
    const leafOfNode = Int32Array.from(
      sizes.flatMap((size, leaf) => new Array<number>(size).fill(leaf)),
    );
    const cluster = {
      ...base.cluster,
      leafOfNode,
      leafCount: sizes.length,
      spineOfLeaf: new Int32Array(sizes.length),
      leafNames: sizes.map((_, leaf) => `leaf${leaf}`),
      hasFabric: true,
    };
    const outcome = runWorld({ ...base, cluster }, schedulerOf, 1_000);
    const { rects } = outcome.open;
    return names.map((name) => {
      const leaves = new Set<number>();
      for (let i = 0; i < rects.jobIdx.length; i++) {
        if (nameOf(base.jobs.names, rects.jobIdx[i]!) !== name) continue;
        for (let d = 0; d < rects.deviceCount[i]!; d++)
          leaves.add(leafOfNode[rects.device[i]! + d]!);
      }
      return leaves.size;
    });
  }

  test("hard: only two leaves hold a gang of eight nodes, so two run", () => {
    expect(gangs({ within: "leaf", backfill: "none" })).toEqual([1, 1, 0, 0, 0, 0, 0, 0]);
  });

  test("soft: fewest leaves, then least left over, lets all eight run", () => {
    expect(gangs({ placement: "fewestLeaves", backfill: "none" })).toEqual([
      1, 1, 2, 2, 2, 2, 2, 4,
    ]);
  });
});

test("placed by fragmentation, a share goes where it strands least, and the gauge says what is stranded", () => {
  const text =
    "2 nodes x 2 gpus\n0s A x1 9s share 400\n1s B x1 9s share 400\n2s C 1x2 4s\n2s D 1x2 1s limit 1s";
  for (const backfill of ["easy", "skip"]) {
    const outcome = run({ placement: "fgd", backfill }, text);
    // B at 1 s: beside A (200 and 1,000 left) the measure of node 0 falls from 800 to 700, on its other GPU (600, 600) to 600; on node 1 it grows.
    const rows = draw(outcome).split("\n");
    expect([rows[0]!.slice(5), rows[1]!.slice(5)]).toEqual(["AAAAAAAAA.", ".BBBBBBBBB"]);
    const gauges = gaugeOf(outcome.chunks[0]!, "fragmentation");
    expect(gauges.length).toBeGreaterThan(1);
    expect(gauges.every(([, part]) => part >= 0 && part <= 1)).toBe(true);
  }
  const outcome = run({ placement: "fgd", backfill: "none" }, text);
  // At 0 s: node 0 has 600 and 1,000 left, node 1 has 2,000. Half of the members want two GPUs, half 400 of one: of 3,600 the former lose 1,600.
  expect(gaugeOf(outcome.chunks[0]!, "fragmentation")[0]).toEqual([
    0,
    Math.round((0.5 * 1_600 * 1_000) / 3_600) / 1_000,
  ]);
});

describe("cutting a device", () => {
  const settings = { migPacking: "bestFit", repartitionMs: 3_000, backfill: "none" };
  const cutsOf = (outcome: ReturnType<typeof run>): string[] =>
    outcome.chunks.flatMap(({ decisions: { kind, atMs, jobIdx, value } }) =>
      Array.from(kind.keys())
        .filter((row) => kind[row] === DecisionKindCode.repartition)
        .map((row) => `${atMs[row]! / 1_000}s gpu${jobIdx[row]} for ${value[row]! / 1_000}s`),
    );

  test("the first slice waits until it is done, later ones wait with it, and the record says so", () => {
    const outcome = run(
      settings,
      "1 nodes x 1 gpus\n0s A x1 5s mig 3g.40gb\n1s B x1 2s mig 2g.20gb",
    );
    expect(runLines(outcome)).toEqual(["B#1 3-5s x1 completed", "A#1 3-8s x1 completed"]);
    expect(cutsOf(outcome)).toEqual(["0s gpu0 for 3s"]);
    expect(waitReasonLines(outcome)).toEqual(["0s A cutting", "1s B cutting"]);
  });

  test("slices that come together have one device cut, not one each; nobody else has it meanwhile", () => {
    const outcome = run(
      settings,
      `1 nodes x 2 gpus
       0s A x1 5s mig 3g.40gb
       0s B x1 5s mig 3g.40gb
       0s C x1 2s
       1s D x1 2s`,
    );
    expect(cutsOf(outcome)).toEqual(["0s gpu0 for 3s"]);
    expect(draw(outcome)).toBe("gpu0 ...+++++\ngpu1 CCDD....");
  });

  test("a device that falls idle is cut again for the next slice, one in use is not", () => {
    const outcome = run(
      settings,
      `1 nodes x 1 gpus
       0s A x1 2s mig 3g.40gb
       4s B x1 4s mig 3g.40gb
       9s C x1 1s mig 3g.40gb`,
    );
    expect(cutsOf(outcome)).toEqual(["0s gpu0 for 3s", "9s gpu0 for 3s"]);
    expect(draw(outcome)).toBe("gpu0 ...A+BBB....C");
  });

  test("a job that left its cut device leaves the layout to the next", () => {
    const outcome = run(
      settings,
      `1 nodes x 1 gpus
       0s A x1 2s mig 3g.40gb
       1s ! cancel A
       5s B x1 2s mig 3g.40gb`,
    );
    expect(cutsOf(outcome)).toEqual(["0s gpu0 for 3s"]);
    expect(draw(outcome)).toBe("gpu0 .....BB");
  });

  test("the time of cutting counts where a job must end before a reservation", () => {
    const text = (limitSec: number) => `1 nodes x 2 gpus
       0s W x1 10s limit 10s
       0s H x2 3s
       1s A x1 ${limitSec}s mig 3g.40gb limit ${limitSec}s`;
    const easy = { ...settings, backfill: "easy" };
    expect(cutsOf(run(easy, text(6)))[0]).toBe("1s gpu1 for 3s");
    expect(draw(run(easy, text(6)))).toBe("gpu0 WWWWWWWWWWHHH\ngpu1 ....AAAAAAHHH");
    expect(draw(run(easy, text(7)))).toBe(
      "gpu0 WWWWWWWWWWHHH...AAAAAAA\ngpu1 ..........HHH..........",
    );
  });

  test("a run that cuts devices is the same with snapshots", () => {
    const text = `2 nodes x 2 gpus
      0s A x3 4s mig 2g.20gb any
      0s B 2x1 5s limit 7s
      1s C x1 3s mig 3g.40gb
      2s D x2 4s mig 1g.10gb limit 6s
      4s E x4 2s limit 4s
      6s F x1 3s mig 4g.40gb`;
    for (const backfill of ["none", "skip", "easy", "conservative"]) {
      const pools = [labPool({ ...settings, backfill })];
      sameWithSnapshots(worldFromText(text, { pools }));
    }
  });
});

describe("defragmentation", () => {
  const text = `2 nodes x 4 gpus
    0s A 1x2 20s
    0s B 1x2 8s
    0s C 1x2 20s
    0s D 1x2 8s
    9s E 1x4 5s`;
  const settings = { placement: "firstFit", backfill: "none", defragmentCostMs: 2_000 };

  test("off: a job for a whole node waits, though four GPUs are free on two nodes", () => {
    expect(runLines(run(settings, text)).at(-1)).toBe("E#1 20-25s x4 completed");
  });

  test("on: a job of two GPUs moves, loses no work but stands still for the cost, and the other starts at once", () => {
    const outcome = run({ ...settings, defragment: true }, text);
    expect(runLines(outcome)).toEqual([
      "B#1 0-8s x2 completed",
      "D#1 0-8s x2 completed",
      "E#1 9-14s x4 completed",
      "C#1 0-20s x2 completed",
      "A#1 0-22s x2 completed",
    ]);
    expect(draw(outcome).split("\n")[6]).toBe("n1g2 DDDDDDDD.aaAAAAAAAAAAA");
  });

  test("the record says which job moved, from where and for whom, and why the other started", () => {
    const outcome = run({ ...settings, defragment: true }, text);
    const { decisions, runs } = outcome.chunks[0]!;
    const rows = Array.from(decisions.kind.keys()).filter(
      (row) => decisions.kind[row] === DecisionKindCode.move,
    );
    const moves = rows.map((row) => {
      const value = decisions.value[row]!;
      const [mover, other] = [decisions.jobIdx[row]!, jobOfMove(value)];
      const reason = STOP_REASONS[decisions.reason[row]!];
      const name = (jobIdx: number) => nameOf(outcome.world.jobs.names, jobIdx);
      return `${name(mover)} off n${nodeOfMove(value)} for ${name(other)}: ${reason}`;
    });
    expect(moves).toEqual(["A off n0 for E: migrated"]);
    const runOfE = runs.jobIdx.indexOf(jobNamed(outcome.world, "E"));
    expect(START_REASONS[runs.startReason[runOfE]!]).toBe("movedFor");
  });

  test("stops at its budget: a job that needs two moves waits where one is allowed", () => {
    const four = `4 nodes x 4 gpus
      0s A 1x2 20s
      0s B 1x2 8s
      0s C 1x2 20s
      0s D 1x2 8s
      0s F 1x2 20s
      0s G 1x2 8s
      0s H 1x2 20s
      0s I 1x2 8s
      9s E 2x4 5s`;
    const lineOfE = (defragmentMoves: number) =>
      runLines(run({ ...settings, defragment: true, defragmentMoves }, four)).find((line) =>
        line.startsWith("E"),
      );
    expect(lineOfE(1)).toBe("E#1 20-25s x8 completed");
    expect(lineOfE(2)).toBe("E#1 9-14s x8 completed");
  });

  test("a run with moves is the same with snapshots", () => {
    sameWithSnapshots(worldFromText(text, { pools: [labPool({ ...settings, defragment: true })] }));
  });
});

test("snapshots leave runs with slices, shares, sockets and models as they are", () => {
  const text = `4 nodes x 4 gpus, 32 cpus
    0s A x3 4s mig 2g.20gb any
    0s B 2x2 5s cpus 3 limit 7s
    1s C x5 3s share 300 any
    1s D 1x3 6s limit 6s
    2s E x6 2s limit 4s
    3s F 2x4 2s limit 2s
    4s G 3*0 5s cpus 2 limit 9s`;
  for (const settings of [
    { migPacking: "bestFit", sharePacking: "tightest", numa: "single", backfill: "easy" },
    {
      migPacking: "search",
      sharePacking: "spread",
      numa: "prefer",
      backfill: "skip",
      cpuReserve: 2,
    },
    { migPacking: "firstFit", backfill: "conservative", placement: "worstFit" },
  ]) {
    const world = changed(worldFromText(text, { pools: [labPool(settings)] }), {
      wishes: { E: { exclusive: true }, D: { models: [{ model: "H100", speedQ16: 65_536 }] } },
    });
    expect(waitReasonLines(runWorld(world, schedulerOf)).length).toBeGreaterThan(0);
    sameWithSnapshots(world);
  }
});
