/** Where a search for victims would put a job, whatever started before it in the same pass: on devices that are free, or would be without the victims. */
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { Grant } from "../../../src/engine/grant.ts";
import type { PoolView } from "../../../src/engine/view.ts";
import { addWalk } from "../../../src/schedulers/lab/lab.ts";
import { Keep } from "../../../src/schedulers/lab/walk/keep/keep.ts";
import { walk } from "../../../src/schedulers/lab/walk/walk.ts";
import { runAll } from "../../support/labRuns.ts";
import { worldFromText } from "../../support/world.ts";
import { labPool } from "../policyDocs.ts";

addWalk(walk);
afterEach(() => vi.restoreAllMocks());

const jobs = fc.array(
  fc.record({
    atSec: fc.integer({ min: 0, max: 30 }),
    members: fc.integer({ min: 1, max: 4 }),
    gpus: fc.integer({ min: 1, max: 4 }),
    workSec: fc.integer({ min: 1, max: 40 }),
    tier: fc.integer({ min: 0, max: 3 }),
  }),
  { minLength: 4, maxLength: 24 },
);

/** Devices of a node that are free, or that these runs hold. */
function roomOn(view: PoolView, node: number, without: ReadonlySet<number>): number {
  const held = new Grant();
  let room = view.gpusFree[node]!;
  for (const runIdx of without) {
    held.clear();
    view.holdings(runIdx, held);
    for (let row = 0; row < held.length; row++)
      if (held.node[row] === node) room += held.count[row]!;
  }
  return room;
}

test("a place that a search finds has room without the victims", () => {
  let view!: PoolView;
  let found = 0;
  const begin = Keep.prototype.begin;
  const resume = Keep.prototype.resume;
  const couldStart = Keep.prototype.couldStart;
  vi.spyOn(Keep.prototype, "begin").mockImplementation(function (this: Keep, now, ...rest) {
    view = now;
    begin.call(this, now, ...rest);
  });
  vi.spyOn(Keep.prototype, "resume").mockImplementation(function (this: Keep, now, ...rest) {
    view = now;
    resume.call(this, now, ...rest);
  });
  vi.spyOn(Keep.prototype, "couldStart").mockImplementation(function (this: Keep, jobIdx, without) {
    const says = couldStart.call(this, jobIdx, without);
    if (!says) return says;
    found++;
    const { components, at } = view.jobs;
    const first = at.firstComponent[jobIdx]!;
    const needs = new Map<number, number>();
    for (let row = 0; row < this.tried.length; row++) {
      const each = components.gpus[first + this.tried.part[row]!]!;
      const node = this.tried.node[row]!;
      needs.set(node, (needs.get(node) ?? 0) + this.tried.members[row]! * each);
    }
    for (const [node, gpus] of needs)
      expect(gpus, `job ${jobIdx} on node ${node} at ${view.nowMs}`).toBeLessThanOrEqual(
        roomOn(view, node, without),
      );
    return says;
  });
  const property = fc.property(
    jobs,
    fc.constantFrom("requeue", "suspend", "wait"),
    fc.constantFrom("firstFit", "bestFit", "spread"),
    (drawn, preemption, placement) => {
      const list = [...drawn].sort((one, other) => one.atSec - other.atSec);
      const lines = list.map(
        (job, i) =>
          `${job.atSec}s j${i} ${job.members}*${job.gpus} ${job.workSec}s limit ${job.workSec}s tier ${job.tier}`,
      );
      const settings = { order: "tiers", backfill: "easy", preemption, placement };
      runAll(
        worldFromText(`4 nodes x 4 gpus\n${lines.join("\n")}`, { pools: [labPool(settings)] }),
      );
    },
  );
  fc.assert(property, { numRuns: 2000, endOnFailure: true });
  expect(found).toBeGreaterThan(0);
});
