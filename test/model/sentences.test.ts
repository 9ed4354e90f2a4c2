import { describe, expect, test } from "vitest";
import { WAIT_REASONS, type WaitReason, WaitReasonCode } from "../../src/model/reasons.ts";
import {
  sentenceText,
  shortWhy,
  type WhyContext,
  type WhyNumbers,
  whyWaiting,
} from "../../src/model/sentences.ts";

const HOUR = 3_600_000;
const plain = (text: string) => text.replaceAll("\u00a0", " ");
const context: WhyContext = {
  nowMs: 19 * HOUR,
  waitedMs: 88 * 60_000,
  deviceWord: "GPU",
  clusterDevices: 512,
  devicesPerNode: 8,
  beginMs: 20 * HOUR,
  jobLabel: (jobIdx) => `${jobIdx} moe`,
};
const numbers: WhyNumbers = {
  reason: WaitReasonCode.resources,
  gpusNeeded: 128,
  gpusFree: 45,
  unit: "nodes",
  unitsNeeded: 16,
  unitsFree: 2,
  position: 0,
  headJobIdx: -1,
  reservedForJobIdx: -1,
  plannedMs: Number.POSITIVE_INFINITY,
  plannedNodes: [],
};
const why = (
  reason: WaitReason,
  change: Partial<WhyNumbers> = {},
  more: Partial<WhyContext> = {},
) =>
  plain(
    sentenceText(
      whyWaiting(
        { ...numbers, ...change, reason: WaitReasonCode[reason] },
        { ...context, ...more },
      ),
    ),
  );

describe("why a job waits, in words", () => {
  test("resources: the unit that is short comes first, then where the idle GPUs are, then the promise", () => {
    expect(why("resources", { plannedMs: 21.5 * HOUR, plannedNodes: [3, 4] })).toBe(
      "Waits 1 h 28 m: 16 whole nodes needed, 2 free. 45 GPUs are idle, most of them in part-used nodes. Reserved for 21:30 on the dotted nodes.",
    );
  });

  test("resources: part of a node is not called a whole node", () => {
    expect(
      why("resources", { gpusNeeded: 12, unitsNeeded: 3, unitsFree: 1, gpusFree: 5 }),
    ).toContain("3 nodes with 4 GPUs free needed, 1 free");
  });

  test("closed nodes are named as what it waits for, with what they hold", () => {
    const numbers = { unit: "devices", gpusNeeded: 8, unitsNeeded: 8 } as const;
    expect(why("nodesClosed", { ...numbers, gpusFree: 0, unitsFree: 0, gpusClosed: 8 })).toBe(
      "Waits 1 h 28 m: its nodes are drained or down. 8 GPUs needed, 0 free, 8 GPUs on closed nodes.",
    );
  });

  test("a ceiling that leaves too little whatever ends is said to be so, and what could change it", () => {
    const share = { whose: "team red", used: 1, most: 4, asked: 8, unit: "GPUs" };
    expect(why("quota", { share: { ...share, ever: 4 } })).toBe(
      "Waits 1 h 28 m: it can never start under the rules of now. Team red may use 4 GPUs at most; it asks for 8. Another policy, tier or limit would have to let it in.",
    );
    expect(why("quota", { share: { ...share, ever: 8 } })).toContain("its team’s quota is in use");
    expect(why("quota", { share })).toContain("Team red uses 1 of 4 GPUs");
  });

  test("priority: enough is free, but somebody stands before", () => {
    expect(
      why("priority", {
        gpusNeeded: 8,
        gpusFree: 20,
        unitsNeeded: 1,
        position: 1,
        headJobIdx: 3,
      }),
    ).toBe(
      "Waits 1 h 28 m: 8 GPUs needed, 20 free, but 1 job is before it. The policy lets nobody pass; first in the queue is 3 moe.",
    );
  });

  test("priority: where it would not fit anyway, the policy is not blamed", () => {
    expect(why("priority", { position: 4, headJobIdx: 3 })).toBe(
      "Waits 1 h 28 m: 16 whole nodes needed, 2 free, and 4 jobs are before it. First in the queue is 3 moe.",
    );
  });

  test("fragmentation names what is together, not what is free in all", () => {
    expect(
      why("fragmentation", { gpusNeeded: 8, gpusFree: 40, unitsNeeded: 1, unitsFree: 0 }),
    ).toBe("Waits 1 h 28 m: 40 GPUs are free, but no node has 8 together.");
    expect(
      why("fragmentation", {
        unit: "leafDevices",
        gpusNeeded: 32,
        gpusFree: 40,
        unitsNeeded: 32,
        unitsFree: 24,
      }),
    ).toBe("Waits 1 h 28 m: 40 GPUs are free, but the best leaf has 24 of the 32 needed.");
  });

  test("a slice lacks room on a device, not a whole device, and the policy’s rule stands beside it", () => {
    const numbers = { gpusNeeded: 1, gpusFree: 0, unitsNeeded: 1, unitsFree: 0 };
    const part = { part: "MIG 4g.40gb" };
    expect(why("fragmentation", numbers, part)).toBe(
      "Waits 1 h 28 m: no GPU has room for MIG 4g.40gb.",
    );
    expect(why("resources", { ...numbers, gpusFree: 2 }, part)).toContain(
      "no GPU has room for MIG 4g.40gb",
    );
    expect(why("fragmentation", { ...numbers, unitsNeeded: 3, unitsFree: 2 }, part)).toBe(
      "Waits 1 h 28 m: 3 × MIG 4g.40gb needed, 2 free.",
    );
    expect(why("fragmentation", numbers, { ...part, partRule: "One slice a GPU." })).toContain(
      "4g.40gb. One slice a GPU.",
    );
  });

  test("reservation names the job that would be delayed", () => {
    expect(why("reservation", { reservedForJobIdx: 31 })).toContain(
      "starting now would delay job 31 moe",
    );
  });

  test("never: the number that can never be met is named", () => {
    expect(why("never", { gpusNeeded: 600 })).toBe(
      "Can never run: asks for 600 GPUs, the cluster has 512.",
    );
    expect(why("never", { gpusNeeded: 32, unitsNeeded: 2 })).toBe(
      "Can never run: asks for 16 GPUs a node, the largest node has 8.",
    );
  });

  test("begin time is written as a clock time", () => {
    expect(why("beginTime")).toContain("may not begin before 20:00");
  });

  test.each(WAIT_REASONS)(
    "%s: the lead ends as a sentence and every number is finite",
    (reason) => {
      const sentence = whyWaiting({ ...numbers, reason: WaitReasonCode[reason] }, context);
      expect(sentence.lead).toMatch(/\.$/);
      expect(sentenceText(sentence)).not.toMatch(/NaN|Infinity|undefined|-1\b/);
      expect(shortWhy(WaitReasonCode[reason], 1_000).lead).toMatch(/\.$/);
    },
  );

  test("a processor is never called a GPU", () => {
    const flat = { ...context, deviceWord: "processor" as const };
    for (const reason of WAIT_REASONS) {
      const sentence = whyWaiting(
        { ...numbers, unit: "devices", reason: WaitReasonCode[reason] },
        flat,
      );
      expect(sentenceText(sentence)).not.toContain("GPUs");
    }
  });
});
