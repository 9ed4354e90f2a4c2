/** What the card says of a job that holds devices without making progress. */
import { describe, expect, test } from "vitest";
import { MemberStateCode } from "../../src/model/states.ts";
import { phaseWords, suspendedWords } from "../../src/panels/inspector/jobWords.ts";
import type { Stage } from "../../src/protocol/messages.ts";
import { DecisionKindCode } from "../../src/record/shapes.ts";
import { type JobStory, suspensionAt } from "../../src/timeline/jobStory.ts";

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
