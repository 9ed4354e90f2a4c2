/** What the card says of a job that holds devices without making progress. */
import { describe, expect, test } from "vitest";
import { JobFlag } from "../../src/model/jobs.ts";
import { MemberStateCode } from "../../src/model/states.ts";
import {
  holdWords,
  phaseWords,
  sliceRule,
  submittedLimit,
  suspendedWords,
} from "../../src/panels/inspector/jobWords.ts";
import type { Stage } from "../../src/protocol/messages.ts";
import { DecisionKindCode } from "../../src/record/shapes.ts";
import { type JobStory, suspensionAt } from "../../src/timeline/jobStory.ts";
import { mustRead, small } from "../scenario/scenarios.ts";

const rect = (memberState: number) => ({
  startMs: 0,
  endMs: 1,
  device: 0,
  deviceCount: 8,
  memberState,
  part: 0,
});

describe("a running job that makes no progress", () => {
  test("a gang of which one member is left stalled hangs, whatever the others do", () => {
    const held = [rect(MemberStateCode.running), rect(MemberStateCode.stalled)];
    expect(phaseWords(held)).toContain("hangs");
    expect(phaseWords([rect(MemberStateCode.running)])).toBe("");
    expect(phaseWords([rect(MemberStateCode.checkpointing)])).toContain("saves its state");
  });

  test("is suspended from the moment it was told until it goes on or starts anew", () => {
    const decision = (kind: number, atMs: number) => ({ kind, atMs, reason: 0, value: 7 });
    const story = {
      decisions: [
        decision(DecisionKindCode.start, 0),
        decision(DecisionKindCode.suspend, 10),
        decision(DecisionKindCode.saved, 15),
        decision(DecisionKindCode.resume, 20),
      ],
    } as unknown as JobStory;
    expect([5, 10, 19, 20].map((atMs) => suspensionAt(story, atMs))).toEqual([
      null,
      { sinceMs: 10, forJobIdx: 7 },
      { sinceMs: 10, forJobIdx: 7 },
      null,
    ]);
  });

  test("a suspended job says for whom it gave way, where that was for somebody", () => {
    const list = (words: string[]) => ({ numbers: [], texts: new Map(words.entries()) });
    const stage = {
      cluster: { deviceWord: "GPU" },
      jobs: { ids: list(["7"]), names: list(["urgent"]) },
    } as unknown as Stage;
    const lead = (forJobIdx: number) =>
      suspendedWords(stage, 2, { sinceMs: 10_000, forJobIdx }, 70_000, undefined).lead;
    expect(lead(0)).toMatch(/^Suspended for job .*urgent since .*: it keeps 2.GPUs\.$/);
    expect(lead(-1)).toMatch(/^Suspended since /);
  });
});

describe("what a job holds on a node", () => {
  const stage = (change: object) =>
    ({
      cluster: { deviceWord: "GPU", nodeCount: 2, deviceBase: [0, 8, 16] },
      jobs: {
        at: { firstComponent: [0, 1] },
        components: { shareMilli: [0], mig: [0], ...change },
        migProfiles: ["2g.20gb"],
      },
    }) as unknown as Stage;
  const on = (device: number) => ({ ...rect(0), device, deviceCount: 1, part: 1 });
  const held = { node: 1, devices: 2 };

  test("is a number of devices, or which slice or share of which device", () => {
    expect(holdWords(stage({}), 0, [on(8), on(9)], held)).toBe("2");
    expect(holdWords(stage({ mig: [1] }), 0, [on(2), on(11)], held)).toBe("MIG 2g.20gb of GPU 3");
    expect(holdWords(stage({ shareMilli: [500] }), 0, [on(8)], held)).toBe("0.50 of GPU 0");
  });

  test("counts slices, and not devices, where several are on one node", () => {
    expect(holdWords(stage({ mig: [1] }), 0, [on(8), on(8), on(9)], held)).toBe("3 × MIG 2g.20gb");
  });
});

test("a slice that waits beside devices that are mostly free is told the rule that keeps it from them", () => {
  const stage = {
    cluster: { deviceWord: "GPU" },
    poolOfJob: [0, 0],
    jobs: { at: { firstComponent: [0, 1] }, components: { mig: [1, 0] } },
  } as unknown as Stage;
  const rule = (settings: Record<string, string>, jobIdx = 0, preset = "lab") =>
    sliceRule(
      mustRead({ ...small, pools: [{ id: "all", policy: { preset, settings } }] }),
      stage,
      jobIdx,
      0,
    );
  expect(rule({})).toContain("every slice a free GPU of its own");
  expect(rule({ migPacking: "firstFit" })).toBeUndefined();
  expect(rule({}, 1)).toBeUndefined();
  expect(rule({}, 0, "kube-scheduler")).toBeUndefined();
});

test("what stands for a limit that a log does not give is none", () => {
  const at = { flags: [0, JobFlag.limitless], limitMs: [60_000, 60_000] };
  const stage = { jobs: { at } } as unknown as Stage;
  expect([submittedLimit(stage, 0), submittedLimit(stage, 1)]).toEqual([
    60_000,
    Number.POSITIVE_INFINITY,
  ]);
});
