import { expect, test } from "vitest";
import { commandsOf } from "../../src/cli/conformance/slurmTruthCommands.ts";
import { type Recording, readRecording } from "../../src/cli/conformance/slurmTruthFile.ts";
import { dependenciesOf, jobsOf } from "../../src/cli/conformance/slurmTruthJobs.ts";
import { arrayOf, momentMs, slurmTimeMs } from "../../src/cli/conformance/slurmTruthWords.ts";
import type { PolicyEntry } from "../../src/scenario/schema.ts";

const POLICY: PolicyEntry = {
  preset: "slurm",
  settings: {},
  slurm: {
    conf: "SchedulerType=sched/backfill\nNodeName=n1 CPUs=64\nPartitionName=main Nodes=ALL State=UP\n",
    gres: "",
    topology: "",
    accounting: "add account acct\n",
  },
};

function recording(over: Record<string, unknown>): Recording {
  return readRecording({
    schema: "slurm-truth/1",
    scenario: "made-up",
    cluster: {},
    config: {
      slurmConf: [],
      nodes: ["NodeName=n[1-4] CPUs=64"],
      partitions: [],
      gresConf: null,
      topologyConf: null,
      sacctmgr: [],
    },
    toleranceSec: 2,
    jobs: [],
    results: {},
    ...over,
  });
}
const JOB = { id: "A", user: "alice", submitSec: 5, runtimeSec: 30 };
const oneJob = (over: Record<string, unknown>) =>
  jobsOf(recording({ jobs: [{ ...JOB, ...over }] }))[0];
const changes = (cmd: string, over: Record<string, unknown> = {}) =>
  commandsOf(
    recording({
      jobs: [JOB, { ...JOB, id: "R", array: "0-2", user: "bob", timeLimitSec: 300 }],
      commands: [{ atSec: 7, cmd }],
      ...over,
    }),
    POLICY,
  ).changes;

test("times as Slurm writes them: a plain number is minutes", () => {
  expect(slurmTimeMs("2")).toBe(120_000);
  expect(slurmTimeMs("1:30")).toBe(90_000);
  expect(slurmTimeMs("01:00:05")).toBe(3_605_000);
  expect(slurmTimeMs("1-2")).toBe(26 * 3_600_000);
  expect(() => slurmTimeMs("soon")).toThrow("soon");
});

test("a begin time counts whole seconds from the submission, or from the start of the recording", () => {
  expect(momentMs("now+30", 10_080)).toBe(40_000);
  expect(momentMs("now+2minutes", 10_080)).toBe(130_000);
  expect(momentMs("{T+100}", 10_080)).toBe(100_000);
  expect(() => momentMs("tomorrow", 0)).toThrow("tomorrow");
});

test("an array lists its indices and how many run at once", () => {
  expect(arrayOf("0-5%2")).toEqual({ indices: [0, 1, 2, 3, 4, 5], atOnce: 2 });
  expect(arrayOf("1,3-9:3")).toEqual({ indices: [1, 3, 6, 9], atOnce: null });
});

test("dependencies keep their kinds; a question mark makes them alternatives", () => {
  expect(dependenciesOf("afterany:@A:@F,singleton")).toEqual({
    after: [
      { job: "A", kind: "afterAny" },
      { job: "F", kind: "afterAny" },
    ],
    singleton: true,
  });
  expect(dependenciesOf("afterok:@A?afternotok:@B")).toMatchObject({ afterAnyOf: true });
  expect(dependenciesOf("after:@A+1").after).toEqual([
    { job: "A", kind: "after", delayMs: 60_000 },
  ]);
  expect(dependenciesOf("aftercorr:@R").after).toEqual([{ job: "R", kind: "afterOk", each: true }]);
  expect(() => dependenciesOf("expand:@A")).toThrow("expand");
});

test("a job's options become those of sbatch", () => {
  expect(
    oneJob({
      nodes: "2-4",
      gpusPerNode: 8,
      timeMinSec: 60,
      exclusive: "user",
      features: "[a|b]",
      nodelist: "n5,n6",
      switches: "1@10",
      requeue: false,
      hold: true,
      nice: -50,
      exit: 3,
      partition: "lo,small",
      array: "1-3",
    }),
  ).toEqual({
    id: "A",
    name: "A",
    submitMs: 5_000,
    workMs: 30_000,
    kind: "batch",
    user: "alice",
    fails: true,
    array: { count: 3, indices: [1, 2, 3] },
    slurm: {
      partitions: ["lo", "small"],
      minNodes: 2,
      maxNodes: 4,
      gpusPerNode: 8,
      timeMinMs: 60_000,
      exclusive: "user",
      constraint: "[a|b]",
      nodelist: "n5,n6",
      switches: { count: 1, waitMs: 600_000 },
      requeue: false,
      hold: true,
      nice: -50,
    },
  });
});

test("a job takes as long as its last whole run of run A, to the middle of the second, suspended time taken off", () => {
  const run = { startSec: 20, endSec: 55, nodes: ["n1"], endState: "COMPLETED", suspendedSec: 4 };
  const segments = [{ startSec: 0, endSec: 12, nodes: ["n1"], endState: "PREEMPTED" }, run];
  const workMs = (results: object) => jobsOf(recording({ jobs: [JOB], results }))[0]?.workMs;
  expect(workMs({ A: { segments } })).toBe(31_500);
  const next = { segments: [{ startSec: 55, endSec: 60, nodes: ["n1"], endState: "COMPLETED" }] };
  expect(workMs({ A: { segments }, B: next })).toBe(31_000);
});

test("a field that is not known fails by its name", () => {
  expect(() => oneJob({ burstBuffer: "x" })).toThrow(/jobs\/0.*burstBuffer/);
});

test("commands about jobs become interventions, of whoever gave them", () => {
  expect(changes("scontrol hold @A")).toEqual([
    { kind: "hold", atMs: 7_000, job: "A", by: "admin" },
  ]);
  expect(changes("setpriv --reuid=alice --clear-groups scontrol hold @A")).toEqual([
    { kind: "hold", atMs: 7_000, job: "A", by: "user" },
  ]);
  expect(changes("setpriv --reuid=bob --clear-groups scontrol hold @A")).toEqual([]);
  expect(changes("scancel @R @A").map((one) => "job" in one && one.job)).toEqual([
    "R_0",
    "R_1",
    "R_2",
    "A",
  ]);
  expect(changes("scancel -u bob")).toHaveLength(3);
  expect(changes("scontrol requeuehold @A")).toEqual([
    { kind: "requeue", atMs: 7_000, job: "A", hold: true },
  ]);
  expect(changes("scontrol update jobid=@A timelimit=2 nice=50")).toEqual([
    { kind: "update", atMs: 7_000, job: "A", limitMs: 120_000, nice: 50 },
  ]);
  expect(changes("scontrol update jobid=@R_1 timelimit=+1")).toEqual([
    { kind: "update", atMs: 7_000, job: "R_1", limitMs: 360_000 },
  ]);
});

test("jobs are cancelled by user, state and name, as far as all of these fit", () => {
  const cancelled = (words: string) =>
    changes(`scancel ${words}`).map((one) => "job" in one && one.job);
  expect(cancelled("--user=alice --name=A")).toEqual(["A"]);
  expect(cancelled("-u alice -n nobody")).toEqual([]);
  expect(cancelled("--state=PENDING -u bob")).toEqual(["R_0", "R_1", "R_2"]);
  expect(cancelled("-t RUNNING -u bob")).toEqual([]);
  expect(cancelled("-s KILL @A")).toEqual(["A"]);
});

test("what scontrol update changes of a waiting job", () => {
  expect(
    changes("scontrol update jobid=@A starttime=now+30 features=x partition=p,q comment=hi"),
  ).toEqual([
    {
      kind: "update",
      atMs: 7_000,
      job: "A",
      beginMs: 37_000,
      slurm: { constraint: "x", partitions: ["p", "q"] },
    },
  ]);
  expect(() => changes("scontrol update jobid=@A numnodes=3")).toThrow(/numnodes/);
});

test("commands about nodes become interventions", () => {
  expect(changes("scontrol update nodename=n[1-2] state=drain reason='bad fan'")).toEqual([
    { kind: "drain", atMs: 7_000, nodes: ["n1", "n2"] },
  ]);
  expect(changes("scontrol update nodename=ALL state=down reason=x")).toEqual([
    { kind: "fail", atMs: 7_000, nodes: ["n1", "n2", "n3", "n4"], noticed: true },
  ]);
  expect(changes("kill slurmd of n2")).toEqual([{ kind: "fail", atMs: 7_000, nodes: ["n2"] }]);
  expect(changes("scontrol update nodename=n2 state=resume")).toEqual([
    { kind: "resume", atMs: 7_000, nodes: ["n2"] },
  ]);
});

test("reservations come and go with all their words", () => {
  expect(
    changes(
      "scontrol create reservation reservationname=maint starttime={T+100} duration=1 nodes=ALL flags=maint,ignore_jobs users=root",
    ),
  ).toEqual([
    {
      kind: "reserve",
      atMs: 7_000,
      name: "maint",
      startMs: 100_000,
      endMs: 160_000,
      nodes: "ALL",
      users: ["root"],
      accounts: [],
      flags: ["MAINT", "IGNORE_JOBS"],
    },
  ]);
  const found = changes("", {
    commands: [
      {
        atSec: 3,
        cmd: "scontrol create reservation reservationname=r starttime=now+20 duration=10 nodecnt=2 users=bob",
      },
      { atSec: 9, cmd: "scontrol update reservationname=r duration=5" },
    ],
  });
  const reserve = {
    kind: "reserve",
    name: "r",
    startMs: 23_000,
    nodeCount: 2,
    users: ["bob"],
    accounts: [],
    flags: [],
  };
  expect(found).toEqual([
    { ...reserve, atMs: 3_000, endMs: 623_000 },
    { kind: "unreserve", atMs: 9_000, name: "r" },
    { ...reserve, atMs: 9_000, endMs: 323_000 },
  ]);
  const unreserve = [{ kind: "unreserve", atMs: 7_000, name: "maint" }];
  expect(changes("scontrol delete reservationname=maint")).toEqual(unreserve);
  expect(changes("scontrol delete reservation maint")).toEqual(unreserve);
});

test("a changed configuration is a changed text of the policy, and changes add up", () => {
  const found = changes("", {
    commands: [
      { atSec: 3, cmd: "scontrol update partitionname=main state=down maxtime=2" },
      { atSec: 9, cmd: "sacctmgr -i modify qos normal set priority=5" },
    ],
  });
  expect(found.map((one) => one.kind === "policy" && one.policy.slurm)).toEqual([
    { ...POLICY.slurm, conf: POLICY.slurm?.conf.replace("State=UP", "State=down maxtime=2") },
    {
      ...POLICY.slurm,
      conf: POLICY.slurm?.conf.replace("State=UP", "State=down maxtime=2"),
      accounting: "add account acct\nmodify qos normal set priority=5\n",
    },
  ]);
});

test("questions change nothing; what is not understood fails with the command", () => {
  const asked = recording({ commands: [{ atSec: 2, cmd: "sinfo -h -N -o '%N %T'" }] });
  expect(commandsOf(asked, POLICY)).toEqual({
    changes: [],
    questions: [{ atMs: 2_000, command: "sinfo -h -N -o '%N %T'" }],
  });
  expect(() => changes("scontrol reboot n1")).toThrow('"scontrol reboot n1" at 7 s');
  expect(() => changes("scontrol update jobid=@A burstbuffer=x")).toThrow("burstbuffer");
  expect(() => changes("scancel --signal=USR1 @A")).toThrow("--signal");
  expect(() => changes("rm -rf spool")).toThrow("rm -rf spool");
});
