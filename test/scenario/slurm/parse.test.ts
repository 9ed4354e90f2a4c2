/** What slurm.conf, gres.conf and topology.conf say, with defaults filled in; notes and problems of lines that say more or less. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { valueIn } from "../../../src/scenario/slurm/editText.ts";
import { parseSlurm } from "../../../src/scenario/slurm/parse.ts";
import type { ConfigNote, SlurmFiles } from "../../../src/scenario/slurm/report.ts";
import { setValues } from "../../../src/scenario/slurm/setValues.ts";
import { filesOf, notesOf, parsed, problemsOf } from "./files.ts";

/** Notes of what bears on scheduling. */
const heeded = (files: Partial<SlurmFiles>): readonly ConfigNote[] =>
  notesOf(files).filter((note) => note.kind !== "ignored");

const conf = (text: string): ReturnType<typeof parsed> => parsed({ conf: text });

describe("keys of the whole cluster", () => {
  test("nothing said is Slurm's default", () => {
    const config = conf("");
    expect(config.scheduler).toMatchObject({
      bfIntervalMs: 30_000,
      bfMaxJobTest: 500,
      defaultQueueDepth: 100,
    });
    expect(config.qos.map((qos) => qos.name)).toEqual(["normal"]);
    expect(config).toMatchObject({ nodes: [], partitions: [], associations: [], switches: [] });
  });

  test("of two values of an option of SchedulerParameters the first holds", () => {
    const text = "SchedulerParameters=bf_max_job_test=7,bf_continue,bf_max_job_test=9\n";
    expect(conf(text).scheduler.bfMaxJobTest).toBe(7);
    expect(valueIn(text, "SchedulerParameters", "bf_max_job_test")).toBe("7");
    const found = setValues({ conf: text, gres: "", topology: "", accounting: "" });
    expect(found.scheduler.get("bf_max_job_test")?.value).toBe("7");
  });

  test("the last line of a key holds", () => {
    expect(conf("KillWait=5\nkillwait=7\n").life.killWaitMs).toBe(7_000);
    const { scheduler } = conf(
      "SchedulerParameters=bf_continue\nSchedulerParameters=bf_interval=5\n",
    );
    expect(scheduler).toMatchObject({ bfIntervalMs: 5_000, bfContinue: false });
  });

  test("options of SchedulerParameters have their own units", () => {
    const { scheduler } = conf(
      "SchedulerParameters=bf_window=2880,bf_resolution=10,sched_min_interval=500000,batch_sched_delay=0,bf_continue,bf_job_part_count_reserve=1\n",
    );
    expect(scheduler).toMatchObject({
      bfWindowMs: 172_800_000,
      bfResolutionMs: 10_000,
      schedMinIntervalMs: 500,
      batchSchedDelayMs: 0,
      bfContinue: true,
      bfJobPartCountReserve: 1,
    });
  });

  test("defaults that follow from other keys follow, wherever they stand", () => {
    const { scheduler } = conf(
      "SchedulerParameters=bf_interval=120,bf_max_job_test=50\nMessageTimeout=60\n",
    );
    expect(scheduler).toMatchObject({
      bfMaxTimeMs: 120_000,
      bfNodeSpaceSize: 101,
      maxSchedTimeMs: 30_000,
    });
    expect(conf("SchedulerParameters=bf_max_time=9,bf_interval=120\n").scheduler.bfMaxTimeMs).toBe(
      9_000,
    );
  });

  test("limits imply associations; safe implies limits", () => {
    expect(conf("AccountingStorageEnforce=safe\n").enforce).toMatchObject({
      associations: true,
      limits: true,
      qos: false,
      safe: true,
    });
    expect(conf("AccountingStorageEnforce=all\n").enforce).toMatchObject({ qos: true, safe: true });
    expect(conf("AccountingStorageEnforce=qos\n").enforce).toMatchObject({
      associations: true,
      limits: false,
    });
  });

  test("PreemptMode packs a mode, GANG and WITHIN", () => {
    expect(conf("PreemptMode=SUSPEND,GANG\n").preemption).toMatchObject({
      mode: "suspend",
      gang: true,
      within: false,
    });
    expect(conf("PreemptMode=requeue,within\n").preemption).toMatchObject({
      mode: "requeue",
      gang: false,
      within: true,
    });
  });

  test("PriorityCalcPeriod and PriorityDecayHalfLife are minutes or times", () => {
    expect(conf("PriorityCalcPeriod=1\nPriorityDecayHalfLife=00:01:00\n").priority).toMatchObject({
      calcPeriodMs: 60_000,
      decayHalfLifeMs: 60_000,
    });
    expect(conf("PriorityDecayHalfLife=0\n").priority.decayHalfLifeMs).toBe(0);
  });
});

describe("nodes", () => {
  test("a host list is as many nodes, in its order", () => {
    const { nodes } = conf("NodeName=b[9-11],a CPUs=8 RealMemory=1000\n");
    expect(nodes.map((node) => node.name)).toEqual(["b9", "b10", "b11", "a"]);
    expect(nodes[2]).toMatchObject({ cpus: 8, realMemoryMiB: 1_000, weight: 1, state: "up" });
  });

  test("a DEFAULT line gives to the lines after it and gives way to theirs", () => {
    const { nodes } = conf(
      "NodeName=DEFAULT CPUs=40 Weight=7\nNodeName=a\nNodeName=b Weight=9\nNodeName=DEFAULT CPUs=2\nNodeName=c\n",
    );
    expect(nodes.map(({ cpus, weight }) => [cpus, weight])).toEqual([
      [40, 7],
      [40, 9],
      [2, 7],
    ]);
  });

  test("CPUs follow from sockets, cores and threads, and sockets from CPUs", () => {
    const { nodes } = conf(
      "NodeName=a Sockets=2 CoresPerSocket=24 ThreadsPerCore=2\nNodeName=b CPUs=64 CoresPerSocket=32\nNodeName=c CPUs=64 Boards=2 SocketsPerBoard=1 CoresPerSocket=32\n",
    );
    expect(nodes.map(({ cpus, sockets }) => [cpus, sockets])).toEqual([
      [96, 2],
      [64, 2],
      [64, 2],
    ]);
  });

  test("generic resources have a type where one is written", () => {
    const { nodes } = conf(
      "NodeName=a Gres=gpu:8\nNodeName=b Gres=gpu:a100:4(S:0-1),gpu:1g.5gb:7,shard:16\nNodeName=c Gres=gpu:tesla_v100-pcie-32gb:2,gpu\n",
    );
    expect(nodes.map((node) => node.gres)).toEqual([
      [{ name: "gpu", type: "", count: 8 }],
      [
        { name: "gpu", type: "a100", count: 4 },
        { name: "gpu", type: "1g.5gb", count: 7 },
        { name: "shard", type: "", count: 16 },
      ],
      [
        { name: "gpu", type: "tesla_v100-pcie-32gb", count: 2 },
        { name: "gpu", type: "", count: 1 },
      ],
    ]);
  });

  test("DownNodes changes the state of nodes above it", () => {
    const { nodes } = conf("NodeName=n[1-3]\nDownNodes=n[2-3] State=DRAIN\n");
    expect(nodes.map((node) => node.state)).toEqual(["up", "drain", "drain"]);
  });
});

describe("gres.conf", () => {
  const nodes = "GresTypes=gpu\nNodeName=n[1-2] Gres=gpu:4\n";

  test("gives types to GPUs that slurm.conf only counts, in the order of its lines", () => {
    const gres =
      "NodeName=n1 Name=gpu Type=v100 File=/dev/nvidia[0-2]\nNodeName=n1 Name=gpu Type=a100 File=/dev/nvidia3\nAutoDetect=off\n";
    const config = parsed({ conf: nodes, gres });
    expect(config.nodes[0]!.gres).toEqual([
      { name: "gpu", type: "v100", count: 3 },
      { name: "gpu", type: "a100", count: 1 },
    ]);
    expect(config.nodes[1]!.gres).toEqual([{ name: "gpu", type: "", count: 4 }]);
  });

  test("that counts otherwise than slurm.conf changes nothing and is noted", () => {
    const files = { conf: nodes, gres: "Name=gpu Count=2\n" };
    expect(parsed(files).nodes[0]!.gres).toEqual([{ name: "gpu", type: "", count: 4 }]);
    expect(heeded(files)).toMatchObject([{ file: "gres.conf", line: 1, key: "Count" }]);
  });

  test("with AutoDetect is noted", () => {
    expect(heeded({ conf: nodes, gres: "AutoDetect=nvml\n" })).toMatchObject([
      { key: "AutoDetect", kind: "approximated" },
    ]);
  });
});

test("names that Slurm wants stated elsewhere are noted", () => {
  const conf = "NodeName=n1 Gres=gpu:4\nPartitionName=p Nodes=n1 QOS=lim\n";
  expect(heeded({ conf }).map((note) => note.key)).toEqual(["GresTypes", "lim"]);
  const stated = { conf: `GresTypes=gpu\n${conf}`, accounting: "add qos lim\n" };
  expect(heeded(stated)).toEqual([]);
});

describe("partitions", () => {
  const nodes = "NodeName=n[1-4] Feature=big\nNodeName=m[1-2]\n";

  test("name nodes by host list, by node set, or all", () => {
    const { partitions } = conf(
      `${nodes}NodeSet=s Feature=big\nNodeSet=t Nodes=m1\nPartitionName=a Nodes=ALL\nPartitionName=b Nodes=n[2-3]\nPartitionName=c Nodes=s,t,m2\n`,
    );
    expect(partitions.map((partition) => partition.nodes)).toEqual([
      null,
      ["n2", "n3"],
      ["n1", "n2", "n3", "n4", "m1", "m2"],
    ]);
  });

  test("take their fields in any case, older spellings included", () => {
    const [partition] = conf(
      `${nodes}PartitionName=p nodes=n1 MaxTime=1-0 DefaultTime=30 Shared=YES:6 Priority=9 AllowQOS=ALL QOS=lim DenyAccounts=x,y GraceTime=600 PreemptMode=OFF\n`,
    ).partitions;
    expect(partition).toMatchObject({
      maxTimeMs: 86_400_000,
      defaultTimeMs: 1_800_000,
      overSubscribe: "yes",
      overSubscribeMost: 6,
      priorityTier: 9,
      priorityJobFactor: 9,
      allowQos: null,
      qos: "lim",
      denyAccounts: ["x", "y"],
      graceMs: 600_000,
      preemptMode: "off",
    });
  });

  test("take memory for each CPU and GPU from the cluster where they say nothing", () => {
    const { partitions } = conf(
      `DefMemPerCPU=100\nJobDefaults=DefCpuPerGPU=4\n${nodes}PartitionName=a Nodes=n1\nPartitionName=b Nodes=n1 DefMemPerNode=5\n`,
    );
    expect(partitions).toMatchObject([
      { defMemPerCpuMiB: 100, defMemPerNodeMiB: 0, defCpuPerGpu: 4 },
      { defMemPerCpuMiB: 0, defMemPerNodeMiB: 5, defCpuPerGpu: 4 },
    ]);
  });

  test("may name nodes of the pool that have no line of their own", () => {
    const files = filesOf({ conf: "PartitionName=p Nodes=x[1-2]\nNodeName=n1\n" });
    expect(parseSlurm(files).ok).toBe(false);
    expect(parseSlurm(files, ["x1", "x2"]).ok).toBe(true);
  });
});

describe("topology.conf", () => {
  const topology =
    "SwitchName=l1 Nodes=n[1-2]\nSwitchName=l2 Nodes=n3,ghost\nSwitchName=top Switches=l[1-2] LinkSpeed=9\n";

  test("is heeded with topology/tree only", () => {
    const nodes = "NodeName=n[1-3]\n";
    expect(parsed({ conf: nodes, topology }).switches).toEqual([]);
    const files = { conf: `TopologyPlugin=topology/tree\n${nodes}`, topology };
    expect(parsed(files).switches).toEqual([
      { name: "l1", nodes: ["n1", "n2"], switches: [], linkSpeed: 1 },
      { name: "l2", nodes: ["n3"], switches: [], linkSpeed: 1 },
      { name: "top", nodes: [], switches: ["l1", "l2"], linkSpeed: 9 },
    ]);
    expect(notesOf(files)).toMatchObject([
      { file: "topology.conf", line: 2, kind: "approximated" },
    ]);
  });

  test.each([
    ["a switch twice", "SwitchName=a Nodes=n1\nSwitchName=a Nodes=n1\n"],
    ["a switch that is not there", "SwitchName=a Switches=b\n"],
    ["a circle", "SwitchName=a Switches=b\nSwitchName=b Switches=c\nSwitchName=c Switches=b\n"],
  ])("is wrong with %s", (_, text) => {
    expect(problemsOf({ conf: "NodeName=n1\n", topology: text })[0]!.place).toMatch(
      /^topology\.conf:/,
    );
  });
});

describe("what is wrong is said, all of it", () => {
  test("each line with file, line and field", () => {
    const text = [
      "KillWait=soon",
      "SchedulerParameters=bf_interval=x,bf_window=0",
      "NodeName=n[1-",
      "NodeName=ok CPUs=many Gres=:",
      "PartitionName=p Nodes=ok,ghost MaxTime=never",
      "just words",
    ].join("\n");
    expect(
      problemsOf({ conf: text, accounting: "modify qos ghost set priority=1\n" }).map(
        (each) => each.place,
      ),
    ).toEqual([
      "slurm.conf:1, KillWait",
      "slurm.conf:2, bf_interval",
      "slurm.conf:2, bf_window",
      "slurm.conf:3, NodeName",
      "slurm.conf:4, CPUs",
      "slurm.conf:4, Gres",
      "slurm.conf:5, MaxTime",
      "slurm.conf:5, Nodes",
      "slurm.conf:6, line",
      "sacctmgr:1, ghost",
    ]);
  });

  test("a node with two lines; the second line of a partition is passed over", () => {
    expect(problemsOf({ conf: "NodeName=a\nNodeName=a\n" })).toHaveLength(1);
    const files = { conf: "PartitionName=p MaxTime=1\nPartitionName=p MaxTime=2\n" };
    expect(parsed(files).partitions).toMatchObject([{ maxTimeMs: 60_000 }]);
    expect(notesOf(files)).toMatchObject([{ line: 2, key: "PartitionName" }]);
  });
});

describe("what is not heeded is noted", () => {
  test.each([
    ["Licenses=matlab:4", "Licenses", "notModelled"],
    ["Whatever=1", "Whatever", "notModelled"],
    ["SlurmctldPort=6817", "SlurmctldPort", "ignored"],
    ["SchedulerParameters=bf_busy_nodes", "bf_busy_nodes", "notModelled"],
    ["SchedulerParameters=bf_max_time=7", "bf_max_time", "approximated"],
    ["Include nodes.conf", "Include", "notModelled"],
    ["PriorityFlags=SOMETHING_NEW", "SOMETHING_NEW", "notModelled"],
    [
      "SelectTypeParameters=CR_Core,CR_CORE_DEFAULT_DIST_BLOCK",
      "CR_CORE_DEFAULT_DIST_BLOCK",
      "ignored",
    ],
  ])("%s", (line, key, kind) => {
    expect(notesOf({ conf: `${line}\n` })).toMatchObject([
      { file: "slurm.conf", line: 1, key, kind },
    ]);
  });

  test("an approximated key at its default is no news", () => {
    expect(notesOf({ conf: "InactiveLimit=0\nSchedulerParameters=bf_max_time=30\n" })).toEqual([]);
  });
});

describe("hostile texts", () => {
  const words = fc.constantFrom(
    "NodeName=",
    "PartitionName=",
    "SwitchName=",
    "Nodes=",
    "n[1-99999999]",
    "n[1-3]",
    "[",
    "]",
    "{}",
    ",",
    "=",
    '"',
    "\\",
    "\n",
    " ",
    "#",
    "DEFAULT",
    "ALL",
    "Gres=gpu:",
    "-1",
    "99999999999999999999",
    "__proto__=1",
    "constructor=1",
    "SchedulerParameters=",
    "toString",
    "add user ",
    "modify qos normal set ",
    "account=",
    "where",
    "Parent - 'x'",
    "Switches=",
  );

  test("are read or refused, never thrown at", () => {
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 40 }),
        fc.array(words, { maxLength: 40 }),
        (first, second) => {
          const [conf, other] = [first.join(""), second.join("")];
          const read = parseSlurm({ conf, gres: other, topology: other, accounting: other });
          if (read.ok) expect(read.value.config.nodes.length).toBeLessThanOrEqual(16_384);
          else expect(read.error.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("a host list of billions of names is refused by its size", () => {
    const [problem] = problemsOf({ conf: "NodeName=a[0-9999999]b[0-9999999]\n" });
    expect(problem!.place).toBe("slurm.conf:1, NodeName");
  });

  test("so are many lists that are large together", () => {
    const lines = Array.from({ length: 40 }, (_, index) => `NodeName=x${index}y[1-1000]`).join(
      "\n",
    );
    expect(problemsOf({ conf: lines }).length).toBeGreaterThan(0);
  });
});
