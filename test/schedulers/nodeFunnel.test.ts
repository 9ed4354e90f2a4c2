/** What removed each node from those that a waiting job could go to, in small worlds by hand, and that every node is accounted for in random ones. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Simulation } from "../../src/engine/simulation.ts";
import { JobFlag } from "../../src/model/jobs.ts";
import { CANDIDATE_RULES, type CandidateRow } from "../../src/model/lab/candidates.ts";
import type { SettingValue } from "../../src/model/policy.ts";
import { WAIT_REASONS, WaitReasonCode } from "../../src/model/reasons.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { runWorld } from "../support/draw.ts";
import { randomWorldSpec } from "../support/randomWorld.ts";
import { jobNamed, worldFromText, worldOf } from "../support/world.ts";
import { labPool } from "./policyDocs.ts";
import { run } from "./walk/tenancy.ts";

type Given = Readonly<Record<string, SettingValue>>;

function outcomeOf(settings: Given, text: string, flags: Readonly<Record<string, number>> = {}) {
  const world = worldFromText(text, { pools: [labPool(settings)] });
  for (const [name, flag] of Object.entries(flags)) {
    const jobIdx = jobNamed(world, name);
    world.jobs.at.flags[jobIdx] = world.jobs.at.flags[jobIdx]! | flag;
  }
  return runWorld(world, schedulerOf);
}

function candidates(outcome: ReturnType<typeof outcomeOf>, name: string, atSec: number) {
  const found = outcome.simulation.candidates(jobNamed(outcome.world, name), atSec * 1_000);
  if (found === null) throw new Error(`${name} has no candidates at ${atSec} s`);
  return found;
}

/** `class 0: 3 nodes, 1 closed, 1 devices → 1 for 2 members`. */
function line({ by, index, nodes, removed, left, members }: CandidateRow): string {
  const gone = removed.flatMap((count, at) =>
    count === 0 ? [] : [`${count} ${CANDIDATE_RULES[at]}`],
  );
  return `${by} ${index}: ${[`${nodes} nodes`, ...gone].join(", ")} → ${left} for ${members}`;
}

describe("a waiting job", () => {
  test("hears which nodes are closed, full, too full for one member, and left", () => {
    const outcome = outcomeOf(
      { backfill: "none" },
      `4 nodes x 8 gpus
       0s ! drain 0
       1s A 1x8 20s
       1s B 1x5 20s
       2s C 3x4 20s`,
    );
    const found = candidates(outcome, "C", 5);
    expect(found.rows.map(line)).toEqual([
      "class 0: 4 nodes, 1 closed, 1 devices, 1 together → 1 for 1",
    ]);
    expect(found).toMatchObject({ membersNeeded: 3, inOneRow: false, ceiling: 0, components: 1 });
  });

  test("is told of CPUs and memory apart from devices", () => {
    const outcome = outcomeOf(
      { backfill: "none" },
      `2 nodes x 8 gpus, 32 cpus
       0s A 1x1 20s cpus 30
       1s B 2x1 20s cpus 8`,
    );
    expect(candidates(outcome, "B", 5).rows.map(line)).toEqual([
      "class 0: 2 nodes, 1 cpuOrMemory → 1 for 1",
    ]);
  });

  test("that must be under one leaf hears of each leaf, the best first", () => {
    const outcome = outcomeOf(
      { backfill: "none" },
      `6 nodes x 8 gpus, 2 leaves
       0s A 2x8 20s
       0s B 2x8 20s
       1s C 3x8 20s`,
      { C: JobFlag.gang | JobFlag.sameLeaf },
    );
    const found = candidates(outcome, "C", 5);
    expect(found.inOneRow).toBe(true);
    expect(found.rows.map(({ by }) => by)).toEqual(["leaf", "leaf"]);
    expect(found.rows.reduce((sum, row) => sum + row.left, 0)).toBe(2);
    expect(found.rows[0]!.members).toBeLessThan(3);
  });

  test("that would be in the way of the reserved head hears for whom the nodes are kept", () => {
    const outcome = outcomeOf(
      { backfill: "easy" },
      `2 nodes x 4 gpus
       0s A 1x4 10s limit 10s
       1s B 2x4 5s limit 5s
       2s C 1x2 30s limit 30s`,
    );
    const found = candidates(outcome, "C", 5);
    expect(found.rows.map(line)).toEqual(["class 0: 2 nodes, 1 devices, 1 kept → 0 for 0"]);
    expect(found.keptForJobIdx).toBe(jobNamed(outcome.world, "B"));
  });

  test("that ends before the head would start is in nobody's way: nothing is kept from it", () => {
    const outcome = outcomeOf(
      { backfill: "none" },
      `2 nodes x 4 gpus
       0s A 1x4 10s limit 10s
       1s B 2x4 5s limit 5s
       2s C 1x2 3s limit 3s`,
    );
    expect(candidates(outcome, "C", 5).rows.map(line)).toEqual([
      "class 0: 2 nodes, 1 devices → 1 for 1",
    ]);
  });

  test("at its team's quota has nodes enough and hears of the ceiling", () => {
    const outcome = run(
      { quota: "static" },
      `2 nodes x 8 gpus
       team red quota 2
       0s A 1x2 10s team red
       1s B 1x1 10s team red`,
    );
    const found = candidates(outcome, "B", 5);
    expect(found.rows.map(line)).toEqual(["class 0: 2 nodes → 2 for 2"]);
    expect(WAIT_REASONS[found.ceiling]).toBe("quota");
  });

  test("on a flat machine has no nodes to tell apart", () => {
    const outcome = outcomeOf({ backfill: "none" }, "4 gpus\n0s A x4 10s\n1s B x1 5s");
    expect(outcome.simulation.candidates(1, 5_000)).toBeNull();
  });

  test("that runs, is over, or is not there has no candidates", () => {
    const outcome = outcomeOf({ backfill: "none" }, "2 nodes x 4 gpus\n0s A 1x4 10s");
    expect(outcome.simulation.candidates(0, 5_000)).toBeNull();
    expect(outcome.simulation.candidates(0, 15_000)).toBeNull();
    expect(outcome.simulation.candidates(99, 5_000)).toBeNull();
  });
});

test("every node counts once, and a head short of devices never has room for all its members", () => {
  fc.assert(
    fc.property(
      randomWorldSpec,
      fc.constantFrom("none", "easy", "conservative"),
      fc.constantFrom("fcfs", "fairShare"),
      (spec, backfill, order) => {
        const pools = [labPool({ backfill, order }), labPool({ backfill, order })];
        const changes = spec.changes?.filter(({ kind }) => kind !== "policy") ?? [];
        const world = worldOf({ ...spec, changes, pools: pools.slice(0, spec.pools?.length ?? 1) });
        const simulation = new Simulation(world, schedulerOf, { checks: true });
        simulation.advance({
          untilMs: Number.POSITIVE_INFINITY,
          maxEvents: Number.POSITIVE_INFINITY,
        });
        for (let atMs = 2_000; atMs < 40_000; atMs += 9_500)
          for (let jobIdx = 0; jobIdx < world.jobs.count; jobIdx++) {
            const found = simulation.candidates(jobIdx, atMs);
            if (found === null) continue;
            for (const row of found.rows) {
              const gone = row.removed.reduce((sum, count) => sum + count, 0);
              expect(gone + row.left).toBe(row.nodes);
              expect(row.members).toBeGreaterThanOrEqual(row.left);
            }
            const why = simulation.explain(jobIdx, atMs);
            const members = found.rows.reduce((sum, row) => sum + row.members, 0);
            if (why?.reason === WaitReasonCode.resources && found.components === 1)
              expect([members, WAIT_REASONS[why.reason]]).not.toEqual([
                Math.max(members, found.membersNeeded),
                "resources",
              ]);
          }
      },
    ),
    { numRuns: 60, endOnFailure: true },
  );
});
