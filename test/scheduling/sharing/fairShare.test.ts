/** Fair-share arithmetic against published examples and closed forms, computed by the code that the orders run. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  addPast,
  addRate,
  addUsage,
  copyDecayedUsage,
  createDecayedUsage,
  usageAt,
} from "../../../src/scheduling/sharing/decayedUsage.ts";
import {
  classicFactor,
  compareFairTree,
  fairTreeLevel,
  type LevelOf,
  type UsageOf,
} from "../../../src/scheduling/sharing/fairShareFormulas.ts";
import { type ShareTree, treeOfEntries } from "../../../src/scheduling/sharing/shareTree.ts";

const levelOf =
  (tree: ShareTree, usageOf: UsageOf): LevelOf =>
  (entry) =>
    fairTreeLevel(tree, usageOf, entry);
const DAY_MS = 86_400_000;
const GOLDEN = new URL("../../../../shared/truth/theory/golden-queueing.json", import.meta.url);

describe("Slurm's example with five users (page Classic Fairshare Algorithm)", () => {
  // root: A 40, D 60; A: B 30, C 10; D: E 25, F 35; B: u1; C: u2, u3; E: u4; F: u5. Its usages sum up to 70 of 100.
  const names = ["root", "A", "D", "B", "C", "E", "F", "u1", "u2", "u3", "u4", "u5"];
  const parent = [-1, 0, 0, 1, 1, 2, 2, 3, 4, 4, 5, 6];
  const shares = [1, 40, 60, 30, 10, 25, 35, 1, 1, 1, 1, 1];
  const used = [100, 45, 25, 20, 25, 25, 0, 20, 25, 0, 25, 0];
  const tree = treeOfEntries(parent, shares);
  const entry = (name: string): number => names.indexOf(name);

  test.each([
    ["u1", 0.408478863310275],
    ["u2", 0.0220970869120796],
    ["u3", 0.125],
    ["u4", 0.5],
    ["u5", 0.749153538438341],
  ])("the classic factor of %s", (name, factor) =>
    expect(classicFactor(tree, (at) => used[at]!, entry(name))).toBeCloseTo(factor, 12),
  );

  const treeUsage = (at: number): number => (at === 0 ? 70 : used[at]!);
  test.each([
    ["A", 0.622222222222222],
    ["D", 1.68],
    ["E", 0.416666666666667],
    ["F", Number.POSITIVE_INFINITY],
    ["B", 1.6875],
    ["C", 0.45],
    ["u1", 1],
    ["u2", 0.5],
    ["u3", Number.POSITIVE_INFINITY],
  ])("Fair Tree's level of %s", (name, level) => {
    const found = fairTreeLevel(tree, treeUsage, entry(name));
    if (level === Number.POSITIVE_INFINITY) expect(found).toBe(level);
    else expect(found).toBeCloseTo(level, 12);
  });

  test("Fair Tree's order of the users", () => {
    const users = ["u1", "u2", "u3", "u4", "u5"];
    users.sort((a, b) => compareFairTree(tree, levelOf(tree, treeUsage), entry(a), entry(b)));
    expect(users).toEqual(["u5", "u4", "u1", "u3", "u2"]);
  });
});

test("under the classic formula a heavy user pulls its account down, under Fair Tree it does not pass another account's users", () => {
  // Two accounts with 50 shares and ten users each; one user of A used 0.6 of all, one of B 0.4.
  const parent = [-1, 0, 0];
  const shares = [1, 50, 50];
  for (const account of [1, 2]) {
    for (let user = 0; user < 10; user++) {
      parent.push(account);
      shares.push(1);
    }
  }
  const tree = treeOfEntries(parent, shares);
  const usage = new Map([
    [0, 10],
    [1, 6],
    [2, 4],
    [3, 6],
    [13, 4],
  ]);
  const usageOf = (entry: number): number => usage.get(entry) ?? 0;
  const aHeavy = 3;
  const aIdle = 4;
  const bHeavy = 13;
  const bIdle = 14;
  expect(classicFactor(tree, usageOf, aIdle)).toBeCloseTo(0.435275281648062, 12);
  expect(classicFactor(tree, usageOf, aHeavy)).toBeCloseTo(0.000244140625, 12);
  expect(classicFactor(tree, usageOf, bHeavy)).toBeCloseTo(0.00390625, 12);
  expect(classicFactor(tree, usageOf, bIdle)).toBeCloseTo(0.574349177498518, 12);
  const order = [aHeavy, aIdle, bHeavy, bIdle];
  order.sort((a, b) => compareFairTree(tree, levelOf(tree, usageOf), a, b));
  expect(order).toEqual([bIdle, bHeavy, aIdle, aHeavy]);
});

describe("usage that fades", () => {
  test.each([
    [1, 1, 0.5],
    [2, 7, 0.0883883476483184],
    [14, 28, 0.25],
    [30, 7, 0.850667160950856],
  ])("half-life %d d, after %d d", (halfLifeDays, days, left) => {
    const usage = createDecayedUsage(1, halfLifeDays * DAY_MS, 0);
    addUsage(usage, 0, 1e12, 0);
    expect(usageAt(usage, 0, days * DAY_MS) / 1e12).toBeCloseTo(left, 11);
  });

  test.each([1, 7, 30])("constant use settles at half-life ÷ ln 2 (%d d)", (halfLifeDays) => {
    const usage = createDecayedUsage(1, halfLifeDays * DAY_MS, 0);
    addRate(usage, 0, 1, 0);
    const settled = (halfLifeDays * 24) / Math.LN2;
    expect(usageAt(usage, 0, halfLifeDays * DAY_MS) / 3_600_000).toBeCloseTo(settled / 2, 4);
    expect(usageAt(usage, 0, 400 * halfLifeDays * DAY_MS) / 3_600_000).toBeCloseTo(settled, 4);
    expect(usageAt(usage, 0, 2_000 * halfLifeDays * DAY_MS) / 3_600_000).toBeCloseTo(settled, 4);
  });

  test.each([
    [2, 1, 0.74120625323556],
    [2, 28, 1.99991194353912],
    [7, 7, 4.09473750504809],
    [14, 28, 11.3029689088065],
  ])(
    "half-life %d d: after A had all for %d d, B has used as much after the closed form",
    (halfLifeDays, aloneDays, equalDays) => {
      const usage = createDecayedUsage(2, halfLifeDays * DAY_MS, 0);
      const aloneMs = aloneDays * DAY_MS;
      addRate(usage, 0, 1, 0);
      addRate(usage, 0, -1, aloneMs);
      addRate(usage, 1, 1, aloneMs);
      const gap = (days: number): number => {
        const atMs = Math.round(aloneMs + days * DAY_MS);
        return usageAt(usage, 1, atMs) - usageAt(usage, 0, atMs);
      };
      expect(gap(equalDays - 0.0001)).toBeLessThan(0);
      expect(gap(equalDays + 0.0001)).toBeGreaterThan(0);
    },
  );

  test("a stretch before the books were opened counts as if it had been seen", () => {
    const half = 7 * DAY_MS;
    const seen = createDecayedUsage(1, half, 0);
    addRate(seen, 0, 4, 2 * DAY_MS);
    addRate(seen, 0, -4, 5 * DAY_MS);
    const late = createDecayedUsage(1, half, 20 * DAY_MS);
    addPast(late, 0, 4, 2 * DAY_MS, 5 * DAY_MS, 20 * DAY_MS);
    // 4 devices · h / ln 2 · (2^(−15/7) − 2^(−18/7)), in device-days.
    expect(usageAt(late, 0, 20 * DAY_MS) / DAY_MS).toBeCloseTo(2.3507, 3);
    expect(usageAt(late, 0, 30 * DAY_MS)).toBeCloseTo(usageAt(seen, 0, 30 * DAY_MS), -1);
  });

  test("a half-life of 0 forgets nothing", () => {
    const usage = createDecayedUsage(1, 0, 0);
    addRate(usage, 0, 4, 0);
    addRate(usage, 0, -4, 1_000);
    expect(usageAt(usage, 0, 1_000 * DAY_MS)).toBe(4_000);
  });

  test("it does not depend on how often anybody looks, nor does a copy share anything", () => {
    const usage = createDecayedUsage(1, DAY_MS, 0);
    addRate(usage, 0, 3, 0);
    const copy = copyDecayedUsage(usage);
    for (let hour = 1; hour < 100; hour++) usageAt(usage, 0, hour * 3_600_000);
    expect(usageAt(usage, 0, 100 * 3_600_000)).toBe(usageAt(copy, 0, 100 * 3_600_000));
    addRate(usage, 0, -3, 100 * 3_600_000);
    expect(usageAt(copy, 0, 300 * 3_600_000)).toBeGreaterThan(usageAt(usage, 0, 300 * 3_600_000));
  });

  test("counting in many steps comes to the same as in one", () => {
    const steps = createDecayedUsage(1, 3_600_000, 0);
    addRate(steps, 0, 2, 0);
    for (let hour = 1; hour <= 500; hour++)
      addRate(steps, 0, hour % 2 === 0 ? 1 : -1, hour * 3_600_000);
    // Settled on the pattern 1, 2, 1, 2 … an hour each, the last hour with 2: (2/2 + 1/4) / (1 − 1/4) · 1/ln 2 … by halves.
    const whole = (rate: number): number => rate / 2 / Math.LN2;
    const expected = (whole(1) + whole(2) / 2) / (1 - 1 / 4);
    expect(usageAt(steps, 0, 500 * 3_600_000) / 3_600_000).toBeCloseTo(expected, 5);
  });
});

test.runIf(existsSync(GOLDEN))("every golden value of fading and of the crossover", () => {
  const { half_life_decay: decay } = JSON.parse(readFileSync(GOLDEN, "utf8")).fair_share;
  for (const row of decay.decay) {
    const usage = createDecayedUsage(1, row.half_life_days * DAY_MS, 0);
    addUsage(usage, 0, 1e15, 0);
    const left = usageAt(usage, 0, row.elapsed_days * DAY_MS) / 1e15;
    expect(left).toBeCloseTo(Number(row.remaining_fraction), 12);
  }
  for (const row of decay.steady_state) {
    const usage = createDecayedUsage(1, row.half_life_days * DAY_MS, 0);
    addRate(usage, 0, 1, 0);
    const hours = usageAt(usage, 0, 3_000 * DAY_MS) / 3_600_000;
    expect(hours).toBeCloseTo(Number(row.steady_state_GPU_h_per_GPU_continuous), 3);
  }
  expect(decay.crossover_equal_shares.rows.length).toBeGreaterThan(5);
  for (const row of decay.crossover_equal_shares.rows) {
    const usage = createDecayedUsage(2, row.half_life_days * DAY_MS, 0);
    const aloneMs = row.A_monopolised_days * DAY_MS;
    addRate(usage, 0, 1, 0);
    addRate(usage, 0, -1, aloneMs);
    addRate(usage, 1, 1, aloneMs);
    const atMs = Math.round(aloneMs + Number(row.days_until_B_has_equal_decayed_usage) * DAY_MS);
    expect(Math.abs(usageAt(usage, 0, atMs) - usageAt(usage, 1, atMs))).toBeLessThan(5);
  }
});
