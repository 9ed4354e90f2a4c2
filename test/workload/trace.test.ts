import { describe, expect, test } from "vitest";
import { readForeign } from "../../src/formats/registry.ts";
import { nameOf } from "../../src/model/jobs.ts";
import { SPEED_ONE } from "../../src/model/units.ts";
import type { World } from "../../src/model/world.ts";
import { expand } from "../../src/workload/expand.ts";
import type { ParsedWorkload } from "../../src/workload/parsed.ts";
import { suggestScenario } from "../../src/workload/suggest.ts";
import { fileClockOffsetMs } from "../../src/workload/traceJobs.ts";
import { must, mustRead } from "../scenario/scenarios.ts";

const parse = (text: string): ParsedWorkload =>
  must(readForeign(new TextEncoder().encode(text), "log")).workload;
const identity = { name: "log.swf.gz", sha256: "0".repeat(64), bytes: 1 };
const trace = { name: "log", format: "swf", sha256: "0".repeat(64), bytes: 1 };

const swf = `; MaxProcs: 64 (two parts)
; UnixStartTime: 893466664
; TimeZone: -28800
 7  500 -1  60  4 -1 -1  8  90 -1 1 3 1 -1 2 -1 -1 -1
 9  400 -1  30  2 -1 -1 -1  -1 -1 1 4 1 -1 2 -1 -1 -1
 8  500 -1  10 99 -1 -1 99  20 -1 1 3 1 -1 1 -1 -1 -1
`;
const itp = `job_id,submission_time,duration,num_gpu
a,100,3600,1
b,200,3600,8
c,300,3600,16
d,400,3600,12
`;

function worldOf(text: string, cluster: object, fields: object = {}): World {
  return must(
    expand(
      mustRead({ version: 1, cluster, workload: { trace: { ...trace, ...fields } } }),
      parse(text),
    ),
  );
}
const flat = { nodeGroups: [{ id: "machine", count: 1, gpus: 64 }], flat: true };
const nodes = { nodeGroups: [{ id: "n", count: 4, gpus: 8 }] };
const ids = (world: World) =>
  Array.from({ length: world.jobs.count }, (_, job) => nameOf(world.jobs.ids, job));
const shapes = (world: World) =>
  Array.from(
    world.jobs.components.members,
    (members, row) =>
      `${members}×${world.jobs.components.gpus[row]}${world.jobs.components.ownNode[row] === 1 ? "=" : ""}`,
  );

describe("a log on a flat machine", () => {
  const world = worldOf(swf, flat);

  test("the first kept job is submitted at time 0; equal times keep the order of the file", () => {
    expect(ids(world)).toEqual(["9", "7", "8"]);
    expect([...world.jobs.at.submitMs]).toEqual([0, 100_000, 100_000]);
    expect(
      fileClockOffsetMs(
        mustRead({ version: 1, cluster: flat, workload: { trace } }).workload.trace!,
        parse(swf),
      ),
    ).toBe(400_000);
  });

  test("a job asks for field 8, or for field 5 where that is missing", () => {
    expect([...world.jobs.at.gpuTotal]).toEqual([2, 8, 99]);
    expect(shapes(world)).toEqual(["1×2", "1×8", "1×99"]);
  });

  test("where the log has no limit, the run time stands for it", () => {
    expect([...world.jobs.at.limitMs]).toEqual([30_000, 90_000, 20_000]);
    expect(Array.from(world.jobs.at.workQ16, (work) => work / SPEED_ONE)).toEqual([
      30_000, 60_000, 10_000,
    ]);
  });

  test("a part of the trace has its own time 0", () => {
    const part = worldOf(swf, flat, { fromMs: 50_000 });
    expect(ids(part)).toEqual(["7", "8"]);
    expect([...part.jobs.at.submitMs]).toEqual([50_000, 50_000]);
    expect(ids(worldOf(swf, flat, { untilMs: 50_000 }))).toEqual(["9"]);
  });

  test("an intervention names a job by its number in the log", () => {
    const document = mustRead({
      version: 1,
      cluster: flat,
      workload: { trace },
      interventions: [{ kind: "cancel", atMs: 1, job: "8" }],
    });
    expect(must(expand(document, parse(swf))).changes).toEqual([
      { atMs: 1, source: 0, kind: "cancel", jobIdx: 2 },
    ]);
    const unknown = expand(
      { ...document, interventions: [{ kind: "cancel", atMs: 1, job: "007" }] },
      parse(swf),
    );
    expect(unknown.ok ? "" : unknown.error[0]?.place).toBe("/interventions/0/job");
  });

  test("an injected job may not take the number of a logged one", () => {
    const inject = (id: string) => ({
      kind: "inject" as const,
      atMs: 1,
      job: { id, workMs: 1, gpus: 1 },
    });
    const document = (id: string) =>
      mustRead({ version: 1, cluster: flat, workload: { trace }, interventions: [inject(id)] });
    expect(must(expand(document("10"), parse(swf))).jobs.count).toBe(4);
    const twin = expand(document("9"), parse(swf));
    expect(twin.ok ? "" : twin.error[0]?.message).toContain('"9"');
  });

  test("the file must be there", () => {
    const result = expand(mustRead({ version: 1, cluster: flat, workload: { trace } }));
    expect(result.ok ? "" : result.error[0]?.place).toBe("/workload/trace");
  });
});

describe("GPU jobs on nodes of eight", () => {
  test("up to eight share a node, multiples of eight take whole nodes, the rest goes anywhere", () => {
    expect(shapes(worldOf(itp, nodes))).toEqual(["1×1", "1×8", "2×8=", "12×1"]);
  });

  test("unless the scenario says anywhere", () => {
    expect(shapes(worldOf(itp, nodes, { layout: "anywhere" }))).toEqual([
      "1×1",
      "8×1",
      "16×1",
      "12×1",
    ]);
  });
});

describe("a dropped file gets a cluster", () => {
  test("the machine that the log names, and its wall clock", () => {
    const { scenario, how } = suggestScenario(identity, parse(swf));
    expect(scenario.cluster).toMatchObject({ flat: true, nodeGroups: [{ count: 1, gpus: 64 }] });
    expect(scenario.calendarStart).toBe("1998-04-24T17:17:44");
    expect([scenario.title, how]).toEqual([
      "log",
      "The file names a machine of 64\u00a0processors.",
    ]);
  });

  test("without a machine: enough for the largest job", () => {
    const { scenario } = suggestScenario(identity, parse(swf.split("\n").slice(2).join("\n")));
    expect(scenario.cluster.nodeGroups[0]?.gpus).toBe(99);
  });

  test("a job larger than any cluster may be is not said to have room", () => {
    const { how } = suggestScenario(
      identity,
      parse("; Version: 2\n1 0 1 10 1000000000 -1 -1 1000000000 10 -1 1 1 1 -1 1 -1 -1 -1\n"),
    );
    expect(how).toContain("has no room");
  });

  test("what the file does not say is a warning, and how the machine was chosen does not say it again", () => {
    for (const text of [swf.split("\n").slice(2).join("\n"), itp]) {
      const parsed = parse(text);
      const { how } = suggestScenario(identity, parsed);
      expect(parsed.warnings.join(" ")).toMatch(/names no cluster|does not say how large/);
      expect(how).not.toMatch(/names no|does not say/);
    }
  });

  test("GPU jobs: whole nodes, offered at most 85 % of their time", () => {
    const rows = Array.from({ length: 200 }, (_, i) => `j${i},${i * 360},36000,8`);
    const { scenario, how } = suggestScenario(
      identity,
      parse(`job_id,submission_time,duration,num_gpu\n${rows.join("\n")}\n`),
    );
    // 100 jobs of 8 GPUs are busy on average while jobs arrive: 804 GPUs (200 jobs over 199 gaps), so 119 nodes.
    expect(scenario.cluster.nodeGroups[0]).toMatchObject({ count: 119, gpus: 8 });
    expect(how).toContain("84\u00a0% of their time");
  });

  test("the suggestion runs: it expands with its trace", () => {
    for (const text of [swf, itp]) {
      const parsed = parse(text);
      expect(must(expand(suggestScenario(identity, parsed).scenario, parsed)).jobs.count).toBe(
        parsed.count,
      );
    }
  });
});

describe("a log that asks unevenly", () => {
  /** One job an hour for 180 hours, then 20 an hour; each of one GPU for an hour. */
  const rows = [
    ...Array.from({ length: 180 }, (_, i) => `a${i},${i * 3_600},3600,1`),
    ...Array.from({ length: 400 }, (_, i) => `b${i},${(180 + i / 20) * 3_600},3600,1`),
  ];
  const text = `job_id,submission_time,duration,num_gpu\n${rows.join("\n")}\n`;

  test("gets a cluster by its busiest tenth, because it would never catch up on one by its mean", () => {
    const { scenario, how } = suggestScenario(identity, parse(text));
    // The mean is 580 GPU-h in 200 h, so 2.9 GPUs; the last tenth of it asks for nearly 20.
    expect(scenario.cluster.nodeGroups[0]).toMatchObject({ count: 3, gpus: 8 });
    expect(how).toMatch(
      /12\u00a0% of their time are asked for, 8\d\u00a0% in its busiest tenth\.$/,
    );
  });

  test("one that is even does not, and neither does one of so few jobs that a tenth is chance", () => {
    const even = rows.slice(0, 180);
    const few = [...rows.slice(0, 10), ...rows.slice(180, 210)];
    for (const [some, nodes] of [
      [even, 1],
      [few, 1],
    ] as const) {
      const { scenario, how } = suggestScenario(
        identity,
        parse(`job_id,submission_time,duration,num_gpu\n${some.join("\n")}\n`),
      );
      expect([scenario.cluster.nodeGroups[0]?.count, how.includes("busiest")]).toEqual([
        nodes,
        false,
      ]);
    }
  });
});
