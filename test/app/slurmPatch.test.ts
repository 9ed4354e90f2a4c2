import { expect, test } from "vitest";
import { slurmPatch } from "../../src/app/share/slurmPatch.ts";

const BEFORE = {
  conf: "ClusterName=lab\nSchedulerType=sched/backfill\nSchedulerParameters=bf_window=1440\nPriorityType=priority/multifactor\nPriorityMaxAge=7-0\n",
  gres: "",
  topology: "",
  accounting: "add qos high\n",
};

test("only lines that differ are taken home, each with a neighbour to find it by", () => {
  const after = { ...BEFORE, conf: BEFORE.conf.replace("1440", "2880") };
  const lines = slurmPatch(BEFORE, after).split("\n");
  expect(lines.filter((line) => /^[-+ ](?![-+])/.test(line))).toEqual([
    " SchedulerType=sched/backfill",
    "-SchedulerParameters=bf_window=1440",
    "+SchedulerParameters=bf_window=2880",
    " PriorityType=priority/multifactor",
  ]);
});

test("each text that differs has its name, and texts that do not are left out", () => {
  const after = { ...BEFORE, accounting: "add qos high\nadd qos low\n" };
  const patch = slurmPatch(BEFORE, after);
  expect(patch).toContain("--- sacctmgr");
  expect(patch).toContain("+add qos low");
  expect(patch).not.toContain("slurm.conf");
  expect(slurmPatch(BEFORE, BEFORE)).toBe("");
});
