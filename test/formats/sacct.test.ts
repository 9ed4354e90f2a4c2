import { describe, expect, test } from "vitest";
import { simulate } from "../../src/cli/simulate.ts";
import { detectFormat } from "../../src/formats/detect.ts";
import { readForeign } from "../../src/formats/registry.ts";
import { JobFlag, nameOf } from "../../src/model/jobs.ts";
import { SPEED_ONE } from "../../src/model/units.ts";
import { expand } from "../../src/workload/expand.ts";
import { suggestScenario } from "../../src/workload/suggest.ts";
import { must } from "../scenario/scenarios.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => must(readForeign(bytes(text), "sacct.txt"));

const HEADER =
  "JobID|User|Account|Partition|QOS|State|Submit|Start|End|Elapsed|Timelimit|NNodes|NCPUS|ReqMem|ReqTRES|AllocTRES|Priority";
const DAY = "2025-03-01T";
/** A row with the usual columns; `more` changes some by name. */
function row(id: string, more: Readonly<Record<string, string>> = {}): string {
  const tres = "billing=8,cpu=8,gres/gpu:a100=4,gres/gpu=4,mem=64G,node=1";
  const plain: Record<string, string> = {
    JobID: id,
    User: "u1",
    Account: "physics",
    Partition: "gpu",
    QOS: "normal",
    State: "COMPLETED",
    Submit: `${DAY}10:00:00`,
    Start: `${DAY}10:00:05`,
    End: `${DAY}11:00:05`,
    Elapsed: "01:00:00",
    Timelimit: "2-00:00:00",
    NNodes: "1",
    NCPUS: "8",
    ReqMem: "64G",
    ReqTRES: tres,
    AllocTRES: tres,
    Priority: "100",
    ...more,
  };
  return HEADER.split("|")
    .map((name) => plain[name]!)
    .join("|");
}
const file = (...rows: string[]) => `${[HEADER, ...rows].join("\n")}\n`;
const ids = (text: string) => {
  const { workload } = read(text);
  return Array.from({ length: workload.count }, (_, job) => nameOf(workload.ids, job));
};

describe("a job of sacct", () => {
  test("is what it held for as long as it ran; `gres/gpu` is the total of which a type is a part", () => {
    const { facts, workload } = read(file(row("7")));
    expect(facts).toMatchObject({ format: "sacct", jobs: 1, gpuHours: 4, cpuHours: 8, maxGpus: 4 });
    expect([workload.at.devices[0], workload.at.runMs[0], workload.at.limitMs[0]]).toEqual([
      4, 3_600_000, 172_800_000,
    ]);
    const { at, teams, tiers } = workload.asks!;
    expect([at.nodes[0], at.cpus[0], at.memMiB[0]]).toEqual([1, 8, 65_536]);
    expect([
      teams[at.team[0]!],
      tiers[at.tier[0]!],
      workload.queues[workload.at.queue[0]!],
    ]).toEqual(["physics", "normal", "gpu"]);
  });

  test("with types only has their sum; what was allocated counts before what was asked", () => {
    const typed = { AllocTRES: "cpu=4,gres/gpu:a100=2,gres/gpu:v100=1,node=1" };
    expect(read(file(row("1", typed))).workload.at.devices[0]).toBe(3);
    expect(read(file(row("1", { AllocTRES: "" }))).workload.at.devices[0]).toBe(4);
  });

  test("has memory per CPU, per node or in all, as old and new versions write it", () => {
    const memory = (ReqMem: string) => {
      const tres = { ReqTRES: "cpu=8,node=2", AllocTRES: "cpu=8,node=2" };
      return read(file(row("1", { ...tres, ReqMem }))).workload.asks!.at.memMiB[0];
    };
    expect(memory("2800Mc")).toBe(8 * 2_800);
    expect(memory("1Gn")).toBe(2_048);
    expect(memory("64G")).toBe(2 * 65_536);
    expect(memory("0n")).toBe(0);
  });

  test("columns may stand in any order and case; older ones stand in for missing ones", () => {
    const old =
      "state|JOBID|start|submit|ReqGRES|allocnodes|AllocCPUS|CPUTimeRAW\nFAILED|9|2025-03-01T10:00:00|2025-03-01T09:00:00|gpu:tesla:2|3|12|7200\n";
    const { workload } = read(old);
    expect([workload.at.devices[0], workload.at.runMs[0]]).toEqual([6, 600_000]);
    expect(workload.asks!.at.fails[0]).toBe(1);
  });

  test("whose run time follows from CPU time only does not run beyond its limit", () => {
    const text =
      "State|Submit|NCPUS|CPUTimeRAW|Timelimit\nTIMEOUT|2025-03-01T09:00:00|1|72000|01:00:00\n";
    const { workload } = read(text);
    expect([workload.at.runMs[0], workload.noted.runEstimated]).toEqual([3_600_000, 1]);
  });

  test("may have no limit: UNLIMITED, Partition_Limit, an empty field; TimelimitRaw is in minutes", () => {
    for (const Timelimit of ["UNLIMITED", "Partition_Limit", ""]) {
      const { workload } = read(file(row("1", { Timelimit })));
      expect(workload.at.limitMs[0]).toBe(Number.POSITIVE_INFINITY);
      expect(workload.noted.noLimit).toBe(1);
    }
    const raw = `${HEADER}|TimelimitRaw\n${row("1")}|90\n`;
    expect(read(raw).workload.at.limitMs[0]).toBe(5_400_000);
  });
});

describe("rows that are no job of their own", () => {
  test("steps are part of their job", () => {
    const text = file(row("5"), row("5.batch", { User: "" }), row("5.extern"), row("5.0"));
    expect([ids(text), read(text).facts.jobs, read(text).facts.skipped]).toEqual([
      ["5"],
      1,
      { step: 3 },
    ]);
  });

  test("of the runs of a requeued job the last one counts, wherever it stands", () => {
    const early = row("5", { State: "NODE_FAIL", Elapsed: "00:10:00" });
    const late = row("5", { Start: `${DAY}12:00:00`, Elapsed: "00:55:00" });
    for (const text of [file(early, late), file(late, early)]) {
      const { facts, workload } = read(text);
      expect([workload.count, workload.at.runMs[0], facts.skipped]).toEqual([
        1,
        3_300_000,
        { earlierRun: 1 },
      ]);
      expect(facts.jobs).toBe(2);
    }
  });

  test("jobs that never started are counted: pending, the rest of an array, cancelled before their start", () => {
    const never = { Start: "Unknown", End: "Unknown", Elapsed: "00:00:00", AllocTRES: "" };
    const text = file(
      row("1"),
      row("2_[1-10%2]", { ...never, State: "PENDING" }),
      row("3", { ...never, State: "CANCELLED by 1234", Start: "None" }),
      row("4", { State: "CANCELLED by 1234", Elapsed: "00:00:00" }),
    );
    const { facts } = read(text);
    expect([facts.jobs, facts.skipped, facts.statusCounts]).toEqual([
      4,
      { neverStarted: 3 },
      { COMPLETED: 1, PENDING: 1, CANCELLED: 2 },
    ]);
  });

  test("rows without a time of submission or with missing fields are bad rows", () => {
    const text = `${file(row("1"), row("2", { Submit: "Unknown" }))}3|u1\n`;
    expect(read(text).facts.skipped).toEqual({ badRow: 2 });
  });
});

describe("numbers of jobs", () => {
  test("tasks of an array and components of a heterogeneous job keep theirs", () => {
    const text = file(row("12_3"), row("13+0"), row("13+1"), row("14"));
    expect([ids(text), read(text).facts.noted]).toEqual([
      ["12_3", "13+0", "13+1", "14"],
      { hetComponent: 2 },
    ]);
  });

  test("a file without numbers has those of its lines", () => {
    const text =
      "State|Submit|NCPUS|CPUTimeRAW\nCOMPLETED|2025-03-01T09:00:00|2|20\nFAILED|2025-03-01T09:00:00|2|20\n";
    expect(ids(text)).toEqual(["2", "3"]);
  });
});

describe("a delimiter inside a free text", () => {
  const header = "JobID|Comment|State|Submit|Start|Elapsed|JobName|NCPUS";
  const line = (comment: string, name: string) =>
    `8|${comment}|COMPLETED|2025-03-01T09:00:00|2025-03-01T09:00:00|00:01:00|${name}|4`;
  test.each([
    ["in the name", line("", "a|b")],
    ["twice in the name", line("", "a||b")],
    ["in another text", line("x|y", "a")],
    ["in both", line("x|y", "a|b")],
  ])("%s is given back to it", (_, text) => {
    const { workload } = read(`${header}\n${text}\n`);
    expect([workload.at.runMs[0], workload.at.devices[0]]).toEqual([60_000, 4]);
  });

  test("is a bad row where no text can have it", () => {
    const text =
      "JobID|State|Submit|Elapsed|NCPUS\n1|COMPLETED|2025-03-01T09:00:00|00:01:00|4\n1|x|COMPLETED|2025-03-01T09:00:00|00:01:00|4\n";
    expect(read(text).facts.skipped).toEqual({ badRow: 1 });
  });

  test("at the end of each line (--parsable) is no field", () => {
    expect(read(file(row("1")).replaceAll("\n", "|\n")).workload.count).toBe(1);
  });
});

describe("without a header line", () => {
  const text = [
    "11|ann|lab|COMPLETED|2026-07-20T07:55:00|2026-07-20T08:00:00|2026-07-20T08:10:00|600|cpu=8,gres/gpu:a100=2,mem=64G,node=1|0:0",
    "12|bob|lab|FAILED|2026-07-20T07:56:00|2026-07-20T08:01:00|2026-07-20T08:02:00|60|cpu=8,mem=64G,node=1|1:0",
  ].join("\r\n");

  test("columns are told by what is in them, and what cannot be told is said", () => {
    expect(detectFormat(bytes(text))).toBe("sacct-noheader");
    const { facts, workload } = read(text);
    expect(facts).toMatchObject({ jobs: 2, users: null, gpuHours: 1_200 / 3_600, maxGpus: 2 });
    expect([...workload.at.runMs]).toEqual([600_000, 60_000]);
    expect(facts.warnings.join(" ")).toContain("no header line");
  });
});

describe("a dropped file of sacct", () => {
  const gpu = "cpu=32,gres/gpu=16,mem=512G,node=2";
  const text = file(
    row("1", { ReqTRES: gpu, AllocTRES: gpu, QOS: "urgent", Priority: "900" }),
    row("2", {
      ReqTRES: "cpu=64,mem=10G,node=1",
      AllocTRES: "cpu=64,mem=10G,node=1",
      State: "FAILED",
      Account: "maths",
    }),
    row("3", { Partition: "gpu,long", State: "OUT_OF_MEMORY" }),
  );
  const { workload } = read(text);
  const { scenario } = suggestScenario(
    { name: "sacct.txt", sha256: "0".repeat(64), bytes: 9 },
    workload,
  );
  const world = must(expand(scenario, workload));

  test("has its partitions, accounts and QOS as queues, teams and tiers, the QOS of higher priority in front", () => {
    expect(scenario.queues).toEqual(["gpu"]);
    expect(scenario.teams.map(({ id }) => id)).toEqual(["physics", "maths"]);
    expect(scenario.tiers.map(({ id }) => id)).toEqual(["urgent", "normal"]);
    expect([...world.jobs.at.tier]).toEqual([0, 1, 1]);
    expect([...world.jobs.at.team].map((team) => world.teams[team]!.id)).toEqual([
      "physics",
      "maths",
      "physics",
    ]);
  });

  test("asks nodes × GPUs of nodes that take its largest part, CPUs only where it had no GPU", () => {
    expect(scenario.cluster.nodeGroups[0]).toMatchObject({ gpus: 8, cpus: 64 });
    const { members, gpus, ownNode, cpuMilli, memMiB } = world.jobs.components;
    expect([...members]).toEqual([2, 1, 1]);
    expect([...gpus]).toEqual([8, 0, 4]);
    expect([...ownNode]).toEqual([1, 1, 1]);
    expect([...cpuMilli]).toEqual([16_000, 64_000, 8_000]);
    expect([...memMiB]).toEqual([256 * 1_024, 10 * 1_024, 64 * 1_024]);
    expect(Array.from(world.jobs.at.workQ16, (work) => work / SPEED_ONE)).toEqual([
      3_600_000, 3_600_000, 3_600_000,
    ]);
    expect(Array.from(world.jobs.at.flags, (flags) => (flags & JobFlag.fails) !== 0)).toEqual([
      false,
      true,
      true,
    ]);
  });

  test("keeps its wall clock and runs to its end", () => {
    expect(scenario.calendarStart).toBe("2025-03-01T10:00:00");
    const { metrics } = simulate(scenario, workload, { checks: true });
    expect(metrics.finished).toBe(3);
  });

  test("on nodes whose CPUs are not told asks for GPUs only", () => {
    const [group] = scenario.cluster.nodeGroups;
    const bare = {
      ...scenario,
      cluster: { ...scenario.cluster, nodeGroups: [{ ...group!, cpus: 0, memGiB: 0 }] },
    };
    const { cpuMilli, memMiB } = must(expand(bare, workload)).jobs.components;
    expect([...cpuMilli, ...memMiB]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test("without any GPU is a flat machine of processors", () => {
    const plain = { ReqTRES: "cpu=12,node=3", AllocTRES: "cpu=12,node=3", NCPUS: "12" };
    const flat = read(file(row("1", plain))).workload;
    const suggested = suggestScenario(
      { name: "s", sha256: "0".repeat(64), bytes: 9 },
      flat,
    ).scenario;
    expect([suggested.cluster.flat, must(expand(suggested, flat)).jobs.at.gpuTotal[0]]).toEqual([
      true,
      12,
    ]);
  });
});
