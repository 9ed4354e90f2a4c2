/** The words of Kubernetes and Ray on the card of a job. */
import { describe, expect, test } from "vitest";
import type { PodFacts, RayFacts } from "../../src/model/kubernetes/placementFacts.ts";
import { MemberStateCode } from "../../src/model/states.ts";
import { placementLines } from "../../src/panels/inspector/placement/placementJobWords.ts";

const { running, starting } = MemberStateCode;
const PODS: PodFacts = {
  system: "kube-scheduler",
  pods: 4,
  waiting: 0,
  failed: 0,
  nominated: [],
  nodes: null,
};
const CALLS: RayFacts = {
  system: "ray",
  kind: "tasks",
  strategy: "PACK",
  members: 4,
  missing: 0,
  failures: 0,
};
const linesOf = (facts: PodFacts | RayFacts, ...states: number[]) => {
  const held = states.map((memberState) => ({ memberState }));
  const lines = placementLines(facts, held, ["n0", "n1"]);
  return Object.fromEntries(lines.map(([name, value]) => [name, value.replaceAll("\u00a0", " ")]));
};

describe("pods under kube-scheduler", () => {
  test("pods that no cycle has tried are Pending without a condition", () =>
    expect(linesOf({ ...PODS, waiting: 4 })).toEqual({
      Phase: "Pending",
      PodScheduled: "not set yet",
    }));

  test("pods that found no node are Unschedulable, with the fit error in numbers of now", () => {
    const short = [
      ["with too little nvidia.com/gpu free", 6],
      ["of another model or label", 3],
      ["not rented", 2],
      ["of too few GPUs, even empty", 1],
    ] as const;
    const lines = linesOf({
      ...PODS,
      waiting: 3,
      failed: 3,
      nominated: [1],
      nodes: { nodes: 12, room: 0, short },
    });
    expect(lines).toEqual({
      Phase: "Pending: 3 of 4 pods",
      PodScheduled: "True: 1 of 4 pods; False, reason Unschedulable: 3 of 4 pods",
      nominatedNodeName: "n1",
      "Message, counted now":
        "0/10 nodes are available: 7 Insufficient nvidia.com/gpu, 3 node(s) didn't match Pod's node affinity/selector.",
    });
  });

  test("where a node has room by now no fit error is said", () => {
    const nodes = { nodes: 2, room: 1, short: [["closed", 1]] as const };
    expect(linesOf({ ...PODS, waiting: 4, failed: 4, nodes })).not.toHaveProperty(
      "Message, counted now",
    );
  });

  test("bound pods are Pending until their containers run", () => {
    expect(linesOf(PODS, starting)).toEqual({ Phase: "Pending", PodScheduled: "True" });
    expect(linesOf(PODS, running)).toEqual({ Phase: "Running", PodScheduled: "True" });
  });
});

describe("calls under Ray", () => {
  test("tasks wait for a node one by one", () =>
    expect(linesOf({ ...CALLS, missing: 1 }, running)).toEqual({
      Tasks: "RUNNING: 3 of 4 tasks; PENDING_NODE_ASSIGNMENT: 1 of 4 tasks",
    }));

  test("an actor that failed with its node is RESTARTING until it has another one", () => {
    const actor: RayFacts = { ...CALLS, kind: "actors", members: 1, missing: 1 };
    expect(linesOf(actor)).toEqual({ Actor: "PENDING_CREATION" });
    expect(linesOf({ ...actor, failures: 1 })).toEqual({ Actor: "RESTARTING", num_restarts: "1" });
    expect(linesOf({ ...actor, missing: 0 }, running)).toEqual({ Actor: "ALIVE" });
  });

  test("a placement group is CREATED whole, and RESCHEDULING where bundles were lost", () => {
    const group: RayFacts = { ...CALLS, kind: "placementGroup", strategy: "SPREAD" };
    const stateOf = (missing: number) => linesOf({ ...group, missing })["Placement group"];
    expect([4, 1, 0].map(stateOf)).toEqual(["PENDING", "RESCHEDULING", "CREATED"]);
    expect(linesOf(group)).toMatchObject({ Strategy: "SPREAD", Bundles: "4 of 4 placed" });
  });
});
