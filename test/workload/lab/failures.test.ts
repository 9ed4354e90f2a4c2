import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../src/model/units.ts";
import type { Change, World } from "../../../src/model/world.ts";
import { expand } from "../../../src/workload/expand.ts";
import { joined } from "../../../src/workload/lab/outages.ts";
import { must, mustRead } from "../../scenario/scenarios.ts";

const YEAR_MS = 365 * DAY_MS;
const base = {
  version: 1,
  horizonMs: YEAR_MS,
  cluster: { nodeGroups: [{ id: "n", count: 8, gpus: 4 }], fabric: { nodesPerLeaf: 4 } },
};
const worldOf = (input: object): World => must(expand(mustRead({ ...base, ...input })));
const rule = (fields: object) => ({
  of: "node",
  mtbfMs: 10 * DAY_MS,
  repairMs: HOUR_MS,
  ...fields,
});

/** Outages of one node or device, from the changes: `[from, until]`. */
function outagesOf(changes: readonly Change[], unit: number, devices: boolean): number[][] {
  const list: number[][] = [];
  for (const change of changes) {
    const kinds = devices ? ["failDevices", "resumeDevices"] : ["fail", "resume"];
    if (!kinds.includes(change.kind)) continue;
    const units = "devices" in change ? change.devices : "nodes" in change ? change.nodes : [];
    if (!units.includes(unit)) continue;
    if (change.kind === kinds[0]) list.push([change.atMs, Number.POSITIVE_INFINITY]);
    else list[list.length - 1]![1] = change.atMs;
  }
  return list;
}

describe("random failures", () => {
  test("a node fails about as often as its mean time says, and is repaired in the time that its rule says", () => {
    const { changes } = worldOf({ failures: [rule({})] });
    const all = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((node) => outagesOf(changes, node, false));
    // 8 nodes for 36.5 times the mean: 292 expected, standard deviation 17.
    expect(all.length).toBeGreaterThan(292 - 3 * 17);
    expect(all.length).toBeLessThan(292 + 3 * 17);
    for (const [fromMs, untilMs] of all) expect(untilMs! - fromMs!).toBe(HOUR_MS);
  });

  test("repairs with a spread of 3 have the median of the rule and 84 % of them are below three times that", () => {
    const failures = [rule({ mtbfMs: DAY_MS, repairMs: HOUR_MS, repairSpread: 3 })];
    const { changes } = worldOf({ failures });
    const lengths = [0, 1, 2, 3, 4, 5, 6, 7]
      .flatMap((node) => outagesOf(changes, node, false))
      .map(([fromMs, untilMs]) => untilMs! - fromMs!)
      .sort((a, b) => a - b);
    const below = (ms: number) => lengths.filter((length) => length < ms).length / lengths.length;
    expect(below(HOUR_MS)).toBeCloseTo(0.5, 1);
    expect(below(3 * HOUR_MS)).toBeCloseTo(0.84, 1);
  });

  test("a GPU is a device of its own: the rest of its node works on", () => {
    const { changes } = worldOf({ failures: [rule({ of: "gpu" })] });
    expect(new Set(changes.map((change) => change.kind))).toEqual(
      new Set(["failDevices", "resumeDevices"]),
    );
    expect(outagesOf(changes, 31, true).length).toBeGreaterThan(10);
  });

  test("correlated failures take the neighbours along: a node its leaf, a GPU its node, a leaf the leaves of its spine", () => {
    const nodesOf = (failures: object[]) =>
      new Set(
        worldOf({ failures }).changes.flatMap((change) =>
          change.kind === "fail" ? [change.nodes.join()] : [],
        ),
      );
    expect(nodesOf([rule({ correlated: 1 })])).toContain("0,1,2,3");
    expect(nodesOf([rule({ of: "gpu", correlated: 1 })])).toContain("5");
    expect(nodesOf([rule({ of: "leaf" })])).toEqual(new Set(["0,1,2,3", "4,5,6,7"]));
    expect(nodesOf([rule({ of: "leaf", correlated: 1 })])).toEqual(new Set(["0,1,2,3,4,5,6,7"]));
  });

  test("only the groups that the rule names fail", () => {
    const cluster = {
      nodeGroups: [
        { id: "old", count: 2, gpus: 4 },
        { id: "new", count: 2, gpus: 4 },
      ],
    };
    const { changes } = worldOf({ cluster, failures: [rule({ nodeGroups: ["old"] })] });
    expect(outagesOf(changes, 1, false).length).toBeGreaterThan(10);
    expect(outagesOf(changes, 2, false)).toEqual([]);
  });

  test("another rule, more nodes, another horizon and an injected job leave the outages of a node as they were", () => {
    const cluster = { ...base.cluster, nodeGroups: [{ id: "n", count: 16, gpus: 4 }] };
    const of = (input: object) => outagesOf(worldOf(input).changes, 3, false);
    const before = of({ failures: [rule({})] });
    expect(of({ cluster, failures: [rule({})] })).toEqual(before);
    expect(of({ failures: [rule({}), rule({ of: "gpu" })] })).toEqual(before);
    const inject = { kind: "inject", atMs: 5, job: { id: "x", gpus: 1, workMs: 40 * DAY_MS } };
    expect(of({ failures: [rule({})], interventions: [inject] })).toEqual(before);
    const half = of({ failures: [rule({})], horizonMs: YEAR_MS / 2 });
    expect(half.length).toBeGreaterThan(5);
    expect(before.slice(0, half.length)).toEqual(half);
  });

  test("another seed gives others", () => {
    const of = (seed: number) =>
      outagesOf(worldOf({ seed, failures: [rule({})] }).changes, 3, false);
    expect(of(1)).not.toEqual(of(2));
  });

  test("without a horizon they are drawn up to the last submission and four times the longest work behind it", () => {
    const workload = { jobs: [{ id: "a", submitMs: DAY_MS, gpus: 1, workMs: 25 * DAY_MS }] };
    const { horizonMs: _, ...open } = base;
    const { changes } = must(
      expand(mustRead({ ...open, workload, failures: [rule({ mtbfMs: DAY_MS })] })),
    );
    const fails = changes.filter((change) => change.kind === "fail");
    expect(fails[fails.length - 1]!.atMs).toBeLessThan(101 * DAY_MS);
    expect(fails[fails.length - 1]!.atMs).toBeGreaterThan(99 * DAY_MS);
  });

  test("a node that somebody has drained is not opened by the end of an outage", () => {
    const plain = worldOf({ failures: [rule({})] });
    const [first] = outagesOf(plain.changes, 0, false);
    const drain = { kind: "drain", atMs: first![0]!, nodes: ["n-000"] };
    const { changes } = worldOf({ failures: [rule({})], interventions: [drain] });
    const back = changes.filter((change) => change.kind === "resume" && change.nodes.includes(0));
    expect(back).toEqual([]);
    const resume = { kind: "resume", atMs: first![1]! + 5, nodes: ["n-000"] };
    const opened = worldOf({ failures: [rule({})], interventions: [drain, resume] });
    expect(outagesOf(opened.changes, 0, false).slice(1)).toEqual(
      outagesOf(plain.changes, 0, false).slice(1),
    );
  });

  test("too many of them are refused with their number", () => {
    const result = expand(
      mustRead({ ...base, failures: [rule({ mtbfMs: 1_000, repairMs: 1_000 })] }),
    );
    expect(result.ok).toBe(false);
    if (!result.ok)
      expect(result.error[0]).toMatchObject({
        place: "/failures/0",
        message: expect.stringMatching(/About 126144000 outages/),
      });
  });
});

test("joined outages are disjoint, in order, and cover the same moments", () => {
  const stretch = fc
    .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 10 }))
    .map(([fromMs, length]) => ({ fromMs, untilMs: fromMs + length }));
  fc.assert(
    fc.property(fc.array(stretch, { maxLength: 8 }), (stretches) => {
      const result = joined(stretches);
      for (let i = 1; i < result.length; i++)
        expect(result[i]!.fromMs).toBeGreaterThan(result[i - 1]!.untilMs);
      const covers = (list: typeof stretches, atMs: number) =>
        list.some(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs);
      for (let atMs = 0; atMs <= 50; atMs++)
        expect(covers(result, atMs)).toBe(covers(stretches, atMs));
    }),
  );
});
