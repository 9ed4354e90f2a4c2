import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultAssociation } from "../../../src/model/slurm/defaults.ts";
import { sharesOf } from "../../../src/scheduling/accounting/shares.ts";
import {
  chargeEnd,
  chargeStart,
  copyUsage,
  rawUsage,
} from "../../../src/scheduling/accounting/usage.ts";
import { fairShareOf } from "../../../src/scheduling/priority/fairShare.ts";
import { fairTreeWalk } from "../../../src/scheduling/priority/fairTree.ts";
import { runTicks, tick } from "../../../src/scheduling/priority/ticks.ts";
import { anyRuns, anyTree, naiveFairTree, treeFrom, usageAfter } from "./randomTrees.ts";

const HOUR_MS = 3_600_000;
const PERIOD_MS = 300_000;

describe("shares", () => {
  it("NormShares of siblings add up to 1 under Fair Tree, of all users to 1 under the classic formula", () => {
    fc.assert(
      fc.property(anyTree(false), (tree) => {
        const fair = sharesOf(tree, true);
        for (let over = 0; over < tree.count; over++) {
          const siblings = fair.below.subarray(fair.firstBelow[over]!, fair.firstBelow[over + 1]!);
          if (siblings.length === 0) continue;
          expect(siblings.reduce((sum, each) => sum + fair.norm[each]!, 0)).toBeCloseTo(1, 12);
        }
        const classic = sharesOf(tree, false);
        const leaves = [...tree.user.keys()].filter(
          (at) => classic.firstBelow[at] === classic.firstBelow[at + 1],
        );
        expect(leaves.reduce((sum, at) => sum + classic.norm[at]!, 0)).toBeCloseTo(1, 12);
      }),
    );
  });

  it("what stands below an account with fairshare=parent competes with the account's siblings", () => {
    const entry = (parent: number, account: string, user: string, shares: number | "parent") => ({
      ...defaultAssociation(account, user),
      parent,
      shares,
    });
    const tree = treeFrom([
      entry(-1, "root", "", 1),
      entry(0, "root", "root", 1),
      entry(0, "a", "", "parent"),
      entry(2, "a", "ann", 2),
      entry(0, "b", "", 1),
    ]);
    expect([...sharesOf(tree, true).norm]).toEqual([0, 0.25, 0, 0.5, 0.25]);
  });
});

describe("Fair Tree", () => {
  it("ranks users as the recursive definition does, wherever no account ties", () => {
    let compared = 0;
    fc.assert(
      fc.property(anyTree(true), anyRuns, (tree, runs) => {
        const usage = usageAfter(tree, true, runs, 2 * HOUR_MS);
        const naive = naiveFairTree(usage);
        if (naive === null) return;
        compared++;
        for (const [user, factor] of naive) expect(usage.rankFactor[user]).toBe(factor);
      }),
      { numRuns: 400 },
    );
    expect(compared).toBeGreaterThan(20);
  });

  it("without any usage everybody's FairShare is 1", () => {
    fc.assert(
      fc.property(anyTree(false), (tree) => {
        const usage = usageAfter(tree, true, [], HOUR_MS);
        tree.user.forEach((user, entry) => {
          if (user !== "") expect(usage.rankFactor[entry]).toBe(1);
        });
      }),
    );
  });

  it("the walk leads from the root's children to the user, each level in order of LevelFS", () => {
    fc.assert(
      fc.property(anyTree(true), anyRuns, (tree, runs) => {
        const usage = usageAfter(tree, true, runs, HOUR_MS);
        const walk = fairTreeWalk(usage, tree.count - 1);
        expect(walk[0]!.above).toBe(0);
        expect(walk.at(-1)!.chosen).toBe(tree.count - 1);
        for (const { siblings, chosen } of walk) {
          expect(siblings.map(({ entry }) => entry)).toContain(chosen);
          siblings.forEach(({ levelFs }, at) => {
            if (at > 0) expect(levelFs).toBeLessThanOrEqual(siblings[at - 1]!.levelFs);
          });
        }
      }),
    );
  });
});

describe("classic fair share", () => {
  it("is 2^−(EffectvUsage/NormShares) with effective usage from the root down, once two ticks have passed without usage", () => {
    fc.assert(
      fc.property(anyTree(false), anyRuns, (tree, runs) => {
        const usage = usageAfter(tree, false, runs, 2 * HOUR_MS);
        const total = rawUsage(usage, 0);
        const effective = [1];
        for (let at = 1; at < tree.count; at++) {
          const over = tree.parent[at]!;
          const own = total === 0 ? 0 : rawUsage(usage, at) / total;
          const siblings = [...tree.parent.keys()].filter((each) => tree.parent[each] === over);
          const sum = siblings.reduce((all, each) => all + tree.shares[each]!, 0);
          const part = tree.shares[at]! / sum;
          effective[at] = over === 0 ? own : own + (effective[over]! - own) * part;
          const factor = 2 ** -(effective[at]! / usage.setup.shares.norm[at]!);
          expect(fairShareOf(usage, at)).toBeCloseTo(factor, 9);
        }
      }),
    );
  });
});

describe("ticks", () => {
  it("made up in one go are those run at each event, to the bit, with jobs that run on", () => {
    fc.assert(
      fc.property(anyTree(true), anyRuns, fc.boolean(), (tree, runs, fairTree) => {
        const late = usageAfter(tree, fairTree, runs, HOUR_MS / 4);
        const user = tree.user.indexOf("root");
        const holder = { assoc: user, qos: -1, partitionQos: -1 };
        chargeStart(late, 99, holder, { cpu: 3 }, 1.5, HOUR_MS / 4 + 1_000);
        const stepped = copyUsage(late);
        const firstMs = HOUR_MS / 4 + PERIOD_MS;
        const untilMs = firstMs + 3_000 * PERIOD_MS;
        let nextMs = firstMs;
        for (let atMs = firstMs; atMs < untilMs; atMs += 77_777)
          nextMs = runTicks(stepped, nextMs, atMs);
        expect(runTicks(stepped, nextMs, untilMs)).toBe(untilMs + PERIOD_MS);
        for (let atMs = firstMs; atMs <= untilMs; atMs += PERIOD_MS) tick(late, atMs);
        expect(late).toEqual(stepped);
      }),
      { numRuns: 10 },
    );
  });

  it("give what multiplying every amount at every tick gives", () => {
    const runs = fc.array(fc.record({ startTick: fc.nat(400), ticks: fc.nat(300) }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(runs, (list) => {
        const tree = treeFrom([{ ...defaultAssociation("root", ""), parent: -1 }]);
        const usage = usageAfter(tree, true, [], 0);
        // The half-life is an hour, the period five minutes: 0.693 / 3600 a second.
        const left = (1 - 693 / 1000 / 3600) ** 300;
        let naive = 0;
        for (let at = 0; at < 4_000; at++) {
          const nowMs = at * PERIOD_MS;
          if (at > 0) {
            naive *= left;
            naive += 300 * left * 2.5 * usage.charges.size;
            tick(usage, nowMs);
          }
          list.forEach(({ startTick, ticks }, job) => {
            const holder = { assoc: 1, qos: -1, partitionQos: -1 };
            if (at === startTick) chargeStart(usage, job, holder, {}, 2.5, nowMs);
            if (at === startTick + ticks) chargeEnd(usage, job, nowMs);
          });
        }
        expect(Math.abs(rawUsage(usage, 1) - naive)).toBeLessThanOrEqual(1e-9 * naive);
        expect(usage.scale).toBeGreaterThan(2 ** -301);
      }),
      { numRuns: 30 },
    );
  });

  it("at which nobody ran leave every ratio, and so FairShare, as it was, while usage goes to nothing", () => {
    fc.assert(
      fc.property(anyTree(true), anyRuns, (tree, runs) => {
        const usage = usageAfter(tree, true, runs, 2 * HOUR_MS);
        const before = copyUsage(usage);
        runTicks(usage, 2 * HOUR_MS + PERIOD_MS, 40_000 * HOUR_MS);
        expect(usage.rankFactor).toEqual(before.rankFactor);
        expect(usage.levelFs).toEqual(before.levelFs);
        expect(rawUsage(usage, 0)).toBeLessThan(1e-100);
      }),
      { numRuns: 20 },
    );
  });

  it("a copy shares nothing that changes", () => {
    fc.assert(
      fc.property(anyTree(true), anyRuns, (tree, runs) => {
        const usage = usageAfter(tree, true, runs, HOUR_MS / 4);
        const copy = copyUsage(usage);
        const kept = structuredClone({ ...copy, setup: null });
        runTicks(usage, HOUR_MS / 4 + PERIOD_MS, 9 * HOUR_MS);
        usage.charges.clear();
        for (const value of Object.values(usage))
          if (ArrayBuffer.isView(value)) (value as Float64Array).fill(7);
        for (const column of Object.values({ ...usage.assoc, ...usage.qos })) column.fill(7);
        for (const column of Object.values(usage.assoc)) column.fill(7);
        expect({ ...copy, setup: null }).toEqual(kept);
      }),
    );
  });
});
