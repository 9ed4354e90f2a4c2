/** The program as others call it: the bundled file in a process of its own, by its exit status and its two outputs. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensureBuilt } from "../../scripts/build.mjs";
import { dist } from "../../scripts/paths.mjs";
import { encodeScenario } from "../../src/scenario/codec.ts";
import { libraryScenario } from "../../src/scenario/library/index.ts";
import type { Scenario } from "../../src/scenario/schema.ts";

let folder = "";
beforeAll(async () => {
  await ensureBuilt("cli");
  folder = mkdtempSync(join(tmpdir(), "queuescope-cli-"));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

function queuescope(...args: string[]) {
  const call = spawnSync(process.execPath, [join(dist, "cli", "queuescope.js"), ...args], {
    encoding: "utf8",
    cwd: folder,
  });
  return { status: call.status, out: call.stdout, err: call.stderr };
}

function file(name: string, content: string | object): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

/** Job, submit, run, processors, limit; the other fields are not known. */
const swfRow = (job: number, submit: number, run: number, procs: number, limit: number) =>
  `${job} ${submit} -1 ${run} ${procs} -1 -1 ${procs} ${limit} -1 1 1 1 -1 1 1 -1 -1`;

/** Four processors: job 1 holds three for 10 s, job 2 needs all four, job 3 would fit beside job 1 for 4 s. */
const log = [
  "; MaxProcs: 4",
  swfRow(1, 100, 10, 3, 10),
  swfRow(2, 101, 5, 4, 5),
  swfRow(3, 102, 4, 1, 4),
].join("\n");

const minute = 60_000;
const scenario = {
  version: 1,
  cluster: { nodeGroups: [{ id: "h100", count: 2, gpus: 8 }] },
  workload: {
    jobs: [
      { id: "a", submitMs: 0, gpus: 8, workMs: 10 * minute },
      { id: "b", submitMs: minute, gpus: 16, workMs: 5 * minute },
      { id: "c", submitMs: 2 * minute, gpus: 64, workMs: minute },
    ],
  },
};

describe("compare", () => {
  const drawn = {
    version: 1,
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 8 }] },
    pools: [{ id: "all" }],
    workload: {
      synthetic: [
        {
          id: "s",
          arrivals: { perHour: 12 },
          untilMs: 36_000_000,
          gpus: [
            { value: 1, weight: 3 },
            { value: 12, weight: 1 },
          ],
          work: { medianMs: 1_200_000 },
        },
      ],
    },
  };

  test("EASY makes jobs wait less than FCFS under the same arrivals, and says that this is no accident", () => {
    const path = file("drawn.json", drawn);
    const args = ["compare", path, "--policy", "fcfs", "--policy", "lab:backfill=easy", "--json"];
    const call = queuescope(...args, "--replications", "5", "--seed", "4");
    expect(call.err).toBe("");
    const { seeds, policies } = JSON.parse(call.out);
    expect(seeds).toEqual([4, 5, 6, 7, 8]);
    const [fcfs, easy] = policies;
    const { difference, values, mean } = easy.metrics["waitSec.mean"];
    expect(difference.distinct).toBe(true);
    expect(difference.mean).toBeLessThan(0);
    expect(mean - fcfs.metrics["waitSec.mean"].mean).toBeCloseTo(difference.mean, 6);
    const alone = queuescope("run", path, "--policy", "easy", "--seed", "5", "--json");
    expect(JSON.parse(alone.out).waitSec.mean).toBe(values[1]);
    expect(JSON.parse(alone.out).digest).toBe(easy.digests[1]);
    expect(queuescope(...args, "--replications", "5", "--seed", "4").out).toBe(call.out);
  });

  test("a policy by name leaves the scenario's YAML behind and says so; `scenario` keeps it", () => {
    const input = "library:kueue-bin-packing";
    const digestOf = ({ out }: { readonly out: string }) => /^digest .*/.exec(out)?.[0];
    const own = queuescope("run", input);
    const kept = queuescope("run", input, "--policy", "scenario");
    expect([digestOf(kept), kept.err]).toEqual([digestOf(own), ""]);
    const named = queuescope("run", input, "--policy", "kueue");
    expect(named.err).toContain("without the YAML of its own kueue; --policy scenario keeps it");
    expect(digestOf(named)).not.toBe(digestOf(own));
  });

  test("a setting that has no effect under the order is told, and none that has", () => {
    const path = file("idle.json", scenario);
    const told = (order: string) =>
      queuescope("run", path, "--set", `order=${order}`, "--set", "queuedWeight=2").err;
    for (const order of ["leastUsage", "multifactor"])
      expect(told(order)).toContain(
        "note: all: queuedWeight has no effect: it counts where order is fairShare or fairTree\n",
      );
    expect(told("fairShare")).not.toContain("no effect");
    const call = queuescope(
      "compare",
      path,
      "--policy",
      "lab:order=leastUsage,queuedWeight=2",
      "--policy",
      "lab",
    );
    expect(call.err.match(/no effect/g)).toHaveLength(1);
  });

  test("two policies that decide alike are not distinct, and a single policy is a wrong call", () => {
    const path = file("drawn.json", drawn);
    const call = queuescope(
      "compare",
      path,
      "--policy",
      "easy",
      "--policy",
      "easy",
      "--replications",
      "3",
    );
    expect(call.status).toBe(0);
    expect(call.out).toMatch(
      /^metric +easy +easy +easy − easy +distinct\nwaitSec.mean .* 0 ± 0 +no\n/,
    );
    expect(queuescope("compare", path, "--policy", "easy").status).toBe(2);
  });
});

describe("a comparison in words", () => {
  test("says that not the same jobs start, and writes what is nothing but zeros as 0", () => {
    const path = file("mixed.json", {
      ...scenario,
      workload: {
        jobs: [
          { id: "a", submitMs: 0, gpus: 12, workMs: 10 * minute, limitMs: 10 * minute },
          { id: "wide", submitMs: minute, gpus: 16, workMs: 5 * minute, limitMs: 5 * minute },
          { id: "small", submitMs: 2 * minute, gpus: 4, workMs: minute, limitMs: minute },
        ],
      },
      horizonMs: 9 * minute,
    });
    const call = queuescope(
      "compare",
      path,
      "--policy",
      "fcfs",
      "--policy",
      "easy",
      "--replications",
      "3",
    );
    expect(call.status).toBe(0);
    expect(call.err).toContain("not the same jobs start: 3 under fcfs, 6 under easy; waits");
    expect(call.out).not.toMatch(/\b0\.0+\b/);
  });
});

describe("run", () => {
  test("EASY lets a short job pass the blocked wide one, FCFS does not; times are in the clock of the log", () => {
    const path = file("four.swf", log);
    const csv = join(folder, "out.csv");
    expect(queuescope("run", path, "--policy", "easy", "--schedule", csv).status).toBe(0);
    expect(readFileSync(csv, "utf8")).toBe(
      "job_id,submit,start,end,gpus\n1,100,100,110,3\n2,101,110,115,4\n3,102,102,106,1\n",
    );
    expect(queuescope("run", path, "--policy", "fcfs", "--schedule", csv).status).toBe(0);
    expect(readFileSync(csv, "utf8")).toBe(
      "job_id,submit,start,end,gpus\n1,100,100,110,3\n2,101,110,115,4\n3,102,115,119,1\n",
    );
  });

  test("the JSON has what the contract names, and refused jobs are counted by reason", () => {
    const call = queuescope("run", file("two.json", scenario), "--json", "--check");
    expect(call.status).toBe(0);
    const report = JSON.parse(call.out);
    expect(report).toMatchObject({
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      engine: expect.any(Number),
      policy: "easy",
      jobs: 3,
      finished: 2,
      refused: { never: 1 },
      makespanSec: 900,
      preemptions: 0,
      events: expect.any(Number),
      cpuSec: expect.any(Number),
    });
    expect(Object.keys(report.waitSec)).toEqual(
      expect.arrayContaining(["mean", "p50", "p95", "p99", "max"]),
    );
    expect(report.waitSec.max).toBe(540);
    expect(Object.keys(report.boundedSlowdown)).toEqual(expect.arrayContaining(["mean", "p95"]));
    expect(Object.keys(report.gpuHours)).toEqual(
      expect.arrayContaining(["offered", "allocated", "useful", "lost", "idleWhileWaiting"]),
    );
    expect(Object.keys(report.utilization)).toEqual(
      expect.arrayContaining(["allocated", "useful"]),
    );
    expect(report.byTier).toHaveProperty("normal");
    expect(report).toHaveProperty("byTeam");
    expect(call.err).toContain("refused");
  });

  test("the same scenario has the same digest, another policy another", () => {
    const path = file("four.swf", log);
    const digest = (...options: string[]) =>
      JSON.parse(queuescope("run", path, "--json", ...options).out).digest;
    expect(digest("--policy", "easy")).toBe(digest("--policy", "easy"));
    expect(digest("--policy", "easy")).not.toBe(digest("--policy", "fcfs"));
  });

  test("a job past its limit is killed there, unless killing is off", () => {
    const path = file("over.swf", ["; MaxProcs: 4", swfRow(1, 0, 100, 1, 60)].join("\n"));
    const csv = join(folder, "kill.csv");
    queuescope("run", path, "--schedule", csv);
    expect(readFileSync(csv, "utf8")).toContain("1,0,0,60,1\n");
    queuescope("run", path, "--schedule", csv, "--no-kill");
    expect(readFileSync(csv, "utf8")).toContain("1,0,0,100,1\n");
  });

  test("what stands in the YAML of a policy for another preset is told, by pool and line", () => {
    const yaml = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: r}\n";
    const input = file("foreign.json", {
      version: 1,
      cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 4 }] },
      pools: [{ id: "all", policy: { preset: "volcano", yaml } }],
      workload: { jobs: [{ id: "a", submitMs: 0, workMs: 1_000, gpus: 1 }] },
    });
    const call = queuescope("run", input);
    expect(call.err).toMatch(
      /^note: all, YAML, line 1: The object of the kind Cohort has no effect/,
    );
    expect(call.status).toBe(0);
  });

  test("a refused job has no run, hence no row", () => {
    const csv = join(folder, "refused.csv");
    const call = queuescope("run", file("four.swf", log), "--procs", "3", "--schedule", csv);
    expect(call.err).toContain("refused jobs: 1 never");
    expect(readFileSync(csv, "utf8")).toBe(
      "job_id,submit,start,end,gpus\n1,100,100,110,3\n3,102,110,114,1\n",
    );
  });

  test("--until cuts the run; what still runs has no end", () => {
    const csv = join(folder, "until.csv");
    queuescope(
      "run",
      file("four.swf", log),
      "--policy",
      "fcfs",
      "--until",
      "5s",
      "--schedule",
      csv,
    );
    expect(readFileSync(csv, "utf8")).toBe("job_id,submit,start,end,gpus\n1,100,100,,3\n");
  });

  test("--procs, --nodes and --gpus-per-node choose the machine", () => {
    const path = file("four.swf", log);
    const jobs = (...options: string[]) =>
      JSON.parse(queuescope("run", path, "--json", ...options).out);
    expect(jobs("--procs", "3").refused).toEqual({ never: 1 });
    expect(jobs("--nodes", "2", "--gpus-per-node", "8").waitSec.max).toBe(0);
    expect(queuescope("run", path, "--procs", "3", "--nodes", "2").status).toBe(2);
  });

  test("a machine past a limit is a wrong call, and nothing runs", () => {
    const call = queuescope("run", file("four.swf", log), "--procs", "70000");
    expect(call.status).toBe(2);
    expect(call.err).toContain("/cluster/nodeGroups/0/gpus");
  });

  test("--until before an intervention leaves it out", () => {
    const later = { atMs: 60 * minute, kind: "drain", nodes: ["h100-000"] };
    const path = file("drain.json", { ...scenario, interventions: [later] });
    expect(queuescope("run", path, "--until", "30m").status).toBe(0);
  });

  test("a link and a library scenario run by name, and a link says when its digest has moved", () => {
    const call = queuescope("run", "library:why-waiting", "--json");
    expect(call.status).toBe(0);
    const { digest } = JSON.parse(call.out);
    const link = encodeScenario(libraryScenario("why-waiting") as Scenario);
    const same = queuescope("run", `http://localhost:4173/#s=${link}&d=${digest.slice(0, 8)}`);
    expect(same.out).toContain(`digest ${digest}`);
    expect(same.err).toBe("");
    expect(queuescope("run", `#s=${link}&d=00000000`).err).toContain("digest 00000000");
    expect(queuescope("run", "library:atlantis").status).toBe(2);
    expect(queuescope("run", "#s=1.AAAA").status).toBe(1);
  });

  test("without --json the same numbers come as lines of name and value", () => {
    const { out } = queuescope("run", file("two.json", scenario));
    expect(out).toMatch(/^digest [0-9a-f]{64}$/m);
    expect(out).toMatch(/^waitSec\.max 540$/m);
  });

  test("an unknown policy is a wrong call and lists those there are", () => {
    const call = queuescope("run", file("two.json", scenario), "--policy", "astrology");
    expect(call.status).toBe(2);
    expect(call.err).toMatch(/fcfs.*easy.*conservative.*sjf/);
    expect(call.out).toBe("");
  });

  test("a scenario with a mistake fails and names the place", () => {
    const wrong = { ...scenario, cluster: { nodeGroups: [{ id: "h100", count: -2, gpus: 8 }] } };
    const call = queuescope("run", file("wrong.json", wrong));
    expect(call.status).toBe(1);
    expect(call.err).toContain("/cluster/nodeGroups/0/count");
  });
});

describe("facts", () => {
  test("what a log says comes as one JSON object, by the source's own codes", () => {
    const call = queuescope("facts", file("four.swf", log));
    expect(call.status).toBe(0);
    expect(JSON.parse(call.out)).toMatchObject({
      format: "swf",
      jobs: 3,
      submitFirstSec: 100,
      submitLastSec: 102,
      gpuHours: null,
      cpuHours: 54 / 3600,
      maxProcs: 4,
      users: 1,
      statusCounts: { "1": 3 },
    });
  });

  test("an unknown format is a wrong call, a file of no known format falls short", () => {
    const path = file("note.txt", "hello\n");
    expect(queuescope("facts", path, "--format", "tarot").status).toBe(2);
    expect(queuescope("facts", path).status).toBe(1);
    expect(queuescope("facts", join(folder, "nowhere.swf")).status).toBe(2);
  });
});

describe("calls", () => {
  test("help is no mistake, an unknown command or option is", () => {
    expect(queuescope("--help").status).toBe(0);
    expect(queuescope("dance").status).toBe(2);
    expect(queuescope("run", "x.swf", "--fast").status).toBe(2);
    expect(queuescope().status).toBe(2);
  });

  test("sweep says that it comes later", () => {
    const call = queuescope("sweep", "plan.json", "--shard", "1/4");
    expect(call.status).toBe(2);
    expect(call.err).toContain("later version");
  });
});

describe("what goes wrong outside", () => {
  test("a reader that closes the pipe ends the call without a fault", async () => {
    const program = join(dist, "cli", "queuescope.js");
    const call = spawn(process.execPath, [program, "run", "library:why-waiting", "--json"]);
    call.stdout.destroy();
    let said = "";
    call.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    const [status] = await once(call, "close");
    expect([status, said]).toEqual([0, ""]);
  });

  test("a link with a stray percent sign is a damaged link", () => {
    const { status, err } = queuescope("run", "#s=%E0%A4%A");
    expect(status).toBe(1);
    expect(err).toMatch(/^link: The link is damaged/);
  });

  test("a run of centuries stops with the remedy, not with times that have lost their milliseconds", () => {
    const years = { id: "a", submitMs: 0, gpus: 1, workMs: 4 * 365 * 24 * 60 * minute };
    const { status, err } = queuescope(
      "run",
      file("centuries.json", {
        version: 1,
        cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 1 }] },
        workload: { jobs: [{ ...years, array: { count: 1_000 } }] },
      }),
    );
    expect(status).toBe(1);
    expect(err).toMatch(/40 years.*horizon/);
  });

  test("a scenario in UTF-16 is read; one in an old encoding too, and it is said", () => {
    const text = JSON.stringify({ ...scenario, title: "Größe" });
    const path = join(folder, "encoded.json");
    writeFileSync(path, Buffer.from(`\ufeff${text}`, "utf16le"));
    expect(queuescope("run", path)).toMatchObject({ status: 0 });
    writeFileSync(path, Buffer.from(text, "latin1"));
    expect(queuescope("run", path).err).toContain("Windows-1252");
  });
});
