import { describe, expect, test } from "vitest";
import { SLURM } from "../../e2e/support/slurm.ts";
import {
  emptyReservation,
  type ReserveSite,
  reserveEntry,
  reserveErrors,
} from "../../src/panels/inspector/reserve/reserveDraft.ts";
import {
  commandText,
  draftErrors,
  hostsError,
  injectEntry,
  type SbatchDraft,
  type Site,
} from "../../src/panels/inspector/sbatch/sbatchDraft.ts";
import {
  beginOf,
  dependenciesOf,
  gpusOf,
  limitOf,
  nodesOf,
} from "../../src/panels/inspector/sbatch/sbatchWords.ts";
import { type UpdateSite, updateOf } from "../../src/panels/inspector/sbatch/updateWords.ts";
import { completeIntervention } from "../../src/scenario/completeIntervention.ts";
import { appendIntervention } from "../../src/scenario/interventions.ts";
import { readScenario } from "../../src/scenario/read.ts";

const HOUR = 3_600_000;
const MINUTE = 60_000;
const nodes = new Set(["n1", "n2", "n3", "n4"]);
const site: Site = {
  nodes,
  queues: ["main"],
  nowMs: HOUR,
  calendar: "2026-03-03T08:00:00",
  hasJob: (id) => ["101", "102"].includes(id),
};
const DRAFT: SbatchDraft = {
  name: "my-job",
  user: "ada",
  partition: "debug",
  qos: "normal",
  account: "vision",
  nodes: "1-2",
  gpusPerNode: "h100:4",
  gpus: "",
  time: "30",
  timeMin: "10:00",
  constraint: "",
  exclusive: true,
  nodelist: "n[1-2]",
  dependency: "afterok:101,singleton",
  begin: "now+1hour",
  hold: true,
  nice: "-5",
  reservation: "",
  work: "20",
};

function scenario() {
  const read = readScenario(SLURM);
  if (!read.ok) throw new Error("the fixture has a problem");
  return read.value;
}

describe("options of sbatch", () => {
  test("a limit is in minutes, and seconds are rounded up to one", () => {
    expect(limitOf("90")).toEqual({ ok: true, value: 90 * MINUTE });
    expect(limitOf("1-12")).toEqual({ ok: true, value: 36 * HOUR });
    expect(limitOf("0:30")).toEqual({ ok: true, value: MINUTE });
    expect(limitOf("UNLIMITED").ok).toBe(false);
    expect(limitOf("soon").ok).toBe(false);
  });

  test.each([
    ["now", HOUR],
    ["now+90", HOUR + 90_000],
    ["now+2hours", 3 * HOUR],
    ["16:00", 8 * HOUR],
    ["08:30", 24 * HOUR + 30 * MINUTE],
    ["2026-03-04T08:00", 24 * HOUR],
  ])("--begin=%s is a moment of the run", (text, value) => {
    expect(beginOf(text, HOUR, site.calendar)).toEqual({ ok: true, value });
  });

  test("a date needs a calendar, a clock time does not", () => {
    expect(beginOf("2026-03-04T08:00", HOUR, undefined).ok).toBe(false);
    expect(beginOf("02:00", HOUR, undefined)).toEqual({ ok: true, value: 2 * HOUR });
    expect(beginOf("25:00", HOUR, undefined).ok).toBe(false);
  });

  test("dependencies are all or any, on jobs that there are", () => {
    const all = dependenciesOf("afterok:101:102,after:101+5,singleton", site.hasJob);
    expect(all).toEqual({
      ok: true,
      value: {
        after: [
          { job: "101", kind: "afterOk" },
          { job: "102", kind: "afterOk" },
          { job: "101", kind: "after", delayMs: 5 * MINUTE },
        ],
        anyOf: false,
        singleton: true,
      },
    });
    expect(dependenciesOf("afterany:101?afternotok:102", site.hasJob)).toMatchObject({
      value: { anyOf: true },
    });
    expect(dependenciesOf("afterok:9", site.hasJob)).toEqual({
      ok: false,
      error: "There is no job 9.",
    });
    expect(dependenciesOf("afterok", site.hasJob).ok).toBe(false);
  });

  test("GPUs may have a type, nodes a range", () => {
    expect(gpusOf("h100:8", 16)).toEqual({ ok: true, value: { type: "h100", count: 8 } });
    expect(gpusOf("eight", 16).ok).toBe(false);
    expect(nodesOf("2-4", 4)).toEqual({ ok: true, value: { least: 2, most: 4 } });
    expect(nodesOf("4-2", 4).ok).toBe(false);
  });

  test("a draft becomes a command and an entry that the document takes", () => {
    expect(draftErrors(DRAFT, site)).toEqual({});
    expect(commandText(DRAFT)).toBe(
      "sbatch -J my-job -A vision -p debug -q normal --nodes=1-2 --gpus-per-node=h100:4 --time=30 --time-min=10:00 --nodelist=n[1-2] --dependency=afterok:101,singleton --begin=now+1hour --nice=-5 --exclusive --hold",
    );
    expect(commandText({ ...DRAFT, constraint: "a&b'c" })).toContain("--constraint='a&b'\\''c'");
    const entry = completeIntervention(injectEntry(DRAFT, "my-job-2", site));
    expect(entry).toMatchObject({
      kind: "inject",
      job: {
        id: "my-job-2",
        name: "my-job",
        workMs: 20 * MINUTE,
        limitMs: 30 * MINUTE,
        beginMs: 2 * HOUR,
        tier: "normal",
        team: "vision",
        after: [{ job: "101", kind: "afterOk" }],
        singleton: true,
        slurm: { partitions: ["debug"], minNodes: 1, maxNodes: 2, exclusive: "node", hold: true },
      },
    });
    expect(readScenario(appendIntervention(scenario(), entry)).ok).toBe(true);
  });

  test("each mistake stands beside its field", () => {
    const wrong = {
      ...DRAFT,
      name: " ",
      time: "5",
      nodelist: "n9",
      begin: "tomorrow",
      nice: "x",
      nodes: "5",
    };
    expect(Object.keys(draftErrors(wrong, site)).toSorted()).toEqual(
      ["begin", "name", "nice", "nodelist", "nodes", "timeMin"].toSorted(),
    );
  });
});

describe("scontrol update", () => {
  const at: UpdateSite = {
    nowMs: HOUR,
    calendar: undefined,
    tiers: ["high", "normal"],
    nodes,
    limitMs: 2 * HOUR,
    hostsError,
  };
  test("one line changes what it names", () => {
    expect(updateOf("timelimit=+30 Nice=-5 ReqNodeList=n[1-2]", "7", at)).toMatchObject({
      value: {
        kind: "update",
        job: "7",
        limitMs: 2.5 * HOUR,
        nice: -5,
        slurm: { nodelist: "n[1-2]" },
      },
    });
    expect(updateOf("TimeLimit=-600", "7", at)).toMatchObject({ value: { limitMs: MINUTE } });
    expect(updateOf("QOS=high", "7", at)).toMatchObject({
      value: { kind: "retier", tier: "high" },
    });
  });
  test.each([
    "QOS=nope",
    "QOS=high Nice=1",
    "Comment=x",
    "Nice",
    "ReqNodeList=n9",
    "TimeLimit=soon",
  ])("%s is refused with a sentence", (line) => {
    expect(updateOf(line, "7", at)).toMatchObject({ ok: false, error: /\.$/ });
  });
});

describe("scontrol create reservation", () => {
  const at: ReserveSite = {
    nodes,
    taken: new Set(["maint-n4"]),
    nowMs: HOUR,
    calendar: undefined,
  };
  test("a draft becomes an entry that the document takes", () => {
    const draft = { ...emptyReservation("n2"), start: "now+1hour" };
    expect(reserveErrors(draft, at)).toEqual({});
    const entry = completeIntervention(reserveEntry(draft, at));
    expect(entry).toMatchObject({
      kind: "reserve",
      startMs: 2 * HOUR,
      endMs: 6 * HOUR,
      nodes: "n2",
      users: ["root"],
      flags: ["MAINT"],
    });
    expect(readScenario(appendIntervention(scenario(), entry)).ok).toBe(true);
  });
  test("names, times, nodes and people are checked", () => {
    const empty = { ...emptyReservation(null), nodes: "n9", users: "", name: "maint-n4" };
    expect(
      Object.keys(reserveErrors({ ...empty, start: "?", duration: "" }, at)).toSorted(),
    ).toEqual(["duration", "name", "nodes", "start", "users"]);
    expect(reserveErrors({ ...empty, nodeCount: "2" }, at)).toHaveProperty("nodeCount");
  });
});
