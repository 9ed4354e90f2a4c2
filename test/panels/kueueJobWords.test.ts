import { describe, expect, test } from "vitest";
import { NBSP } from "../../src/base/format.ts";
import type { KueueJobFacts } from "../../src/model/kubernetes/queueFacts.ts";
import { workloadLines } from "../../src/panels/inspector/kueue/kueueJobWords.ts";

const FACTS: KueueJobFacts = {
  stage: "waiting",
  sinceMs: 0,
  localQueue: "vision",
  clusterQueue: "research",
  priority: 10,
  flavors: [],
  pods: 0,
  podsAsked: 6,
  admittedMs: -1,
  position: 2,
  waitingCount: 5,
  evictions: 0,
  timeouts: 0,
  domains: 0,
};
const linesOf = (facts: Partial<KueueJobFacts>) =>
  Object.fromEntries(workloadLines({ ...FACTS, ...facts }, { atMs: 0, calendar: undefined }));

describe("a workload of Kueue, layer by layer", () => {
  test("one that waits has its place and no placement", () => {
    const lines = linesOf({});
    expect(lines).toMatchObject({ Admission: "waits for quota", "Place in it": "2 of 5" });
    expect(lines).not.toHaveProperty("Placement");
  });

  test("admitted and unplaceable is said of both layers", () => {
    const lines = linesOf({
      stage: "unplaceable",
      position: 0,
      flavors: ["h100"],
      pods: 6,
      admittedMs: 0,
    });
    expect(lines).toMatchObject({ Admission: "admitted", Flavor: "h100" });
    expect(lines["Placement"]).toContain("unplaceable");
  });

  test("what was cut, evicted and requeued is told", () => {
    const lines = linesOf({
      stage: "ready",
      pods: 4,
      evictions: 2,
      timeouts: 1,
      flavors: ["a", "b"],
    });
    expect(lines).toMatchObject({
      "Cut to": `4 of 6${NBSP}pods`,
      Evicted: `2${NBSP}times`,
      Flavors: "a, b",
    });
    expect(lines["Requeued"]).toContain("not ready");
  });
});
