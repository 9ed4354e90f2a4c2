import { describe, expect, it } from "vitest";
import {
  defaultAssociation,
  defaultConfig,
  defaultQos,
} from "../../../src/model/slurm/defaults.ts";
import { billableTres, billingTres } from "../../../src/scheduling/accounting/billing.ts";
import { nextResetSec } from "../../../src/scheduling/accounting/resetPeriod.ts";
import {
  chargeEnd,
  chargeStart,
  rawUsage,
  type Usage,
} from "../../../src/scheduling/accounting/usage.ts";
import { fairShareOf, usageForLimits } from "../../../src/scheduling/priority/fairShare.ts";
import { nextTickMs, runTicks, startUsage } from "../../../src/scheduling/priority/ticks.ts";
import { treeFrom } from "../priority/randomTrees.ts";

const DAY = 86_400;
const TREE = treeFrom([
  { ...defaultAssociation("root", ""), parent: -1 },
  { ...defaultAssociation("lab", ""), parent: 0 },
  { ...defaultAssociation("lab", "ann"), parent: 1 },
]);
const LAB = 2;
const ANN = 3;
const QOS = [
  { ...defaultQos("normal") },
  { ...defaultQos("double"), usageFactor: 2 },
  { ...defaultQos("kept"), noDecay: true },
];

function usageOf(changes: Partial<ReturnType<typeof defaultConfig>["priority"]> = {}): Usage {
  const config = { ...defaultConfig().priority, type: "multifactor" as const };
  const set = { ...config, decayHalfLifeMs: 0, calcPeriodMs: 60_000, ...changes };
  return startUsage(TREE, set, QOS, ["gres/gpu"], 0);
}

function run(usage: Usage, qos: number, fromMs: number, toMs: number): void {
  const holder = { assoc: ANN, qos, partitionQos: -1 };
  const next = runTicks(usage, nextTickMs(usage, 0, usage.lastTickSec * 1000), fromMs);
  chargeStart(usage, 1, holder, { "gres/gpu": 8 }, 21, fromMs);
  runTicks(usage, next, toMs);
  chargeEnd(usage, 1, toMs);
}

describe("billing", () => {
  const allocated = { cpu: 16, mem: 1024, node: 1, "gres/gpu": 4, "license/x": 2 };
  it("is the weighted sum, cut; without weights the CPUs (recording 09c)", () => {
    expect(billableTres(allocated, { cpu: 1, "gres/gpu": 2.5 }, false)).toBe(26);
    expect(billingTres(billableTres(allocated, { cpu: 0.3, "gres/gpu": 0.2 }, false))).toBe(5);
    expect(billableTres(allocated, null, false)).toBe(16);
  });
  it("MAX_TRES takes the dearest TRES of the nodes and adds the others", () => {
    const weights = { cpu: 1, "gres/gpu": 2.5, mem: 0.001, "license/x": 3 };
    expect(billableTres(allocated, weights, true)).toBe(22);
  });
});

describe("usage", () => {
  it("without decay is billing × seconds × UsageFactor, up to root", () => {
    const usage = usageOf();
    run(usage, 1, 10_000, 70_000);
    expect([ANN, LAB, 0].map((entry) => rawUsage(usage, entry))).toEqual([2520, 2520, 2520]);
    expect(usageForLimits(usage).assocTresMins(ANN, "gres/gpu")).toBe(16);
    expect(usageForLimits(usage).assocWallMs(LAB)).toBe(120_000);
  });

  it("of a QOS with NoDecay stays while that of its associations fades", () => {
    const usage = usageOf({ decayHalfLifeMs: 60_000 });
    run(usage, 2, 0, 30_000);
    runTicks(usage, 60_000, 600_000);
    expect(usageForLimits(usage).qosTresMins(2, "gres/gpu")).toBe(4);
    expect(usageForLimits(usage).assocTresMins(ANN, "gres/gpu")).toBeLessThan(0.01);
  });

  it("counts for the QOS of the partition as well", () => {
    const usage = usageOf();
    chargeStart(usage, 1, { assoc: ANN, qos: 0, partitionQos: 2 }, { "gres/gpu": 1 }, 1, 0);
    chargeEnd(usage, 1, 60_000);
    expect([0, 1, 2].map((qos) => usageForLimits(usage).qosTresMins(qos, "gres/gpu"))).toEqual([
      1, 0, 1,
    ]);
  });

  it("is forgotten at the first tick after a reset", () => {
    const usage = usageOf({ usageResetPeriod: "DAILY" });
    run(usage, 0, 0, 60_000);
    runTicks(usage, 120_000, (DAY - 60) * 1000);
    expect(rawUsage(usage, ANN)).toBe(1260);
    runTicks(usage, DAY * 1000, DAY * 1000);
    expect(rawUsage(usage, ANN)).toBe(0);
    expect(fairShareOf(usage, ANN)).toBe(1);
  });

  it("is not counted under priority/basic", () => {
    const usage = usageOf({ type: "basic" });
    run(usage, 0, 0, 60_000);
    expect(rawUsage(usage, ANN)).toBe(0);
    expect(nextTickMs(usage, 0, 0)).toBe(Number.POSITIVE_INFINITY);
  });

  it("ticks come at the start of slurmctld + k × PriorityCalcPeriod", () => {
    const usage = usageOf();
    expect(nextTickMs(usage, -6_000, 0)).toBe(54_000);
    expect(nextTickMs(usage, -6_000, 54_000)).toBe(114_000);
  });
});

describe("reset periods from Sunday, 1 January 2023", () => {
  it.each([
    ["DAILY", 0, 1],
    ["DAILY", DAY, 2],
    ["WEEKLY", 0, 7],
    ["WEEKLY", 6.5 * DAY, 7],
    ["WEEKLY", 7 * DAY, 14],
    ["MONTHLY", 0, 31],
    ["MONTHLY", 31 * DAY, 59],
    ["MONTHLY", 340 * DAY, 365],
    ["QUARTERLY", 0, 90],
    ["QUARTERLY", 300 * DAY, 365],
    ["YEARLY", 0, 365],
    ["YEARLY", 365 * DAY, 731],
    ["NONE", 0, Number.POSITIVE_INFINITY],
  ] as const)("%s after %d s: day %d", (period, lastSec, day) => {
    expect(nextResetSec(period, lastSec)).toBe(day * DAY);
  });
});
