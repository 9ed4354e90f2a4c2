/** What the library's scenarios of the Kubernetes family and Ray claim, verified by running them, with and without the change that each proposes. */
import { describe, expect, test } from "vitest";
import { MINUTE_MS } from "../../src/model/units.ts";
import { completeIntervention } from "../../src/scenario/completeIntervention.ts";
import { libraryEntry } from "../../src/scenario/library/index.ts";
import type { Ran } from "./orchestrators/judges.ts";
import { ran } from "./orchestrators/ran.ts";

function runs(id: string): { plain: Ran; changed: Ran; openMin: number; jobs: readonly string[] } {
  const { document, openAt, suggest } = libraryEntry(id)!;
  const interventions = [completeIntervention(suggest!.intervention)];
  return {
    plain: ran(document),
    changed: ran({ ...document, interventions }),
    openMin: openAt!.cursorMs / MINUTE_MS,
    jobs: document.workload!.jobs!.map((job) => job.id!),
  };
}

const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);

const heldByAll = ({ heldBy }: Ran, ids: readonly string[], atMin: number): number =>
  ids.reduce((sum, id) => sum + heldBy(id, atMin), 0);

describe("Kueue with bin packing on 64 GPUs", () => {
  const { plain, changed, openMin, jobs } = runs("kueue-bin-packing");

  test("the large job waits where it opens, with GPUs free, and small ones that came later pass it", () => {
    expect(plain.startMin("large")).toBeGreaterThan(openMin);
    expect(heldByAll(plain, jobs, openMin)).toBeLessThan(64);
    const passed = jobs.filter((id) => {
      const start = plain.startMin(id);
      return start > 45 && start < plain.startMin("large");
    });
    expect(passed.length).toBeGreaterThan(8);
  });

  test("where nobody passes the head it starts half an hour earlier", () => {
    expect(plain.startMin("large") - changed.startMin("large")).toBeGreaterThan(30);
  });
});

describe("Four nodes at once, under Volcano", () => {
  const { plain, changed, openMin } = runs("volcano-starved");

  test("the large group starves for five hours; with nodes kept for it, it starts within twenty minutes", () => {
    expect(plain.startMin("large") - 75).toBeGreaterThan(300);
    expect(changed.startMin("large") - openMin).toBeLessThan(20);
  });
});

describe("Quota taken back, under KAI", () => {
  const { plain, changed } = runs("kai-reclaim");

  test("each job of the owner starts within a session and a grace period of 30 s", () => {
    for (const [index, id] of numbered("product", 4).entries()) {
      const waitMin = plain.startMin(id) - (60 + 15 * index);
      expect(waitMin).toBeGreaterThanOrEqual(0.5);
      expect(waitMin).toBeLessThan(0.6);
    }
  });

  test("four jobs of research are stopped, come back and lose no more than 20 minutes and their pauses", () => {
    const lives = numbered("research", 8).map((id) => plain.runsOf(id));
    expect(lives.map((life) => life.length)).toEqual([1, 1, 1, 1, 2, 2, 2, 2]);
    const workMin = [220, 190, 210, 170];
    for (const [index, life] of lives.slice(4).entries()) {
      const ranMin = life.reduce((sum, { startMin, endMin }) => sum + endMin - startMin, 0);
      // A checkpoint of a minute after each 20, one to read back, the grace period.
      const pausesMin = workMin[index]! / 20 + 3;
      expect(ranMin - workMin[index]!).toBeLessThan(20 + pausesMin);
    }
  });

  test("without reclaim the owner waits until somebody ends: nearly two hours", () => {
    expect(changed.startMin("product-1") - 60).toBeGreaterThan(110);
  });
});

describe("Workers on demand, under Ray", () => {
  const { plain, changed, openMin } = runs("ray-scaling");

  test("the trials have rented five workers of six, and the group of 24 gets none where it opens", () => {
    const rented = (one: Ran) => {
      const nodes = new Set(numbered("trial", 56).flatMap((id) => one.nodesOf(id)));
      return [...nodes].filter((node) => node >= 2).length;
    };
    expect(rented(plain)).toBe(5);
    expect(plain.heldBy("train", openMin)).toBe(0);
    expect(plain.startMin("train")).toBeGreaterThan(openMin);
  });

  test("with two more workers allowed it has its three a few minutes after it asks", () => {
    expect(changed.startMin("train") - 11).toBeLessThan(5);
  });
});

describe("Two teams on one Ray cluster", () => {
  const { plain, changed, openMin } = runs("ray-two-tenants");
  const trials = numbered("trial", 90);

  test("where it opens the tasks hold everything, and a group that does not fit whole holds nothing", () => {
    expect(heldByAll(plain, trials, openMin)).toBe(32);
    expect(plain.heldBy("train-2", openMin)).toBe(0);
  });

  test("the second group starts only when no task waits any more, half of the cluster for each team an hour and more earlier", () => {
    const last = Math.max(...trials.map((id) => plain.startMin(id)));
    expect(plain.startMin("train-2")).toBeGreaterThan(last);
    expect(plain.startMin("train-2") - changed.startMin("train-2")).toBeGreaterThan(60);
  });

  test("with a quota each, no team is above half while the other wants more", () => {
    expect(heldByAll(changed, trials, openMin)).toBe(16);
    expect(changed.heldBy("train-2", openMin)).toBe(16);
  });
});
