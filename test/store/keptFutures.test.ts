import { beforeEach, expect, test } from "vitest";
import type { OpenOutcome } from "../../src/protocol/messages.ts";
import { encodeVariants } from "../../src/scenario/codec.ts";
import { readScenario } from "../../src/scenario/read.ts";
import type { Scenario } from "../../src/scenario/schema.ts";
import { branches } from "../../src/store/branches.ts";
import { restoreFutures } from "../../src/store/keptFutures.ts";
import { fetchLinkCode } from "../../src/store/linkCode.ts";
import { EMPTY_FUTURE, runData } from "../../src/store/runData.ts";
import { useApp } from "../../src/store/store.ts";
import { currentFragment } from "../../src/store/url.ts";
import type { WorkerClient } from "../../src/store/workerClient.ts";

function scenario(cancelAtMs?: number): Scenario {
  const read = readScenario({
    version: 1,
    title: "Two nodes",
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 8 }] },
    workload: { jobs: [{ id: "a", submitMs: 0, gpus: 1, workMs: 1_000 }] },
    interventions: cancelAtMs === undefined ? [] : [{ kind: "cancel", atMs: cancelAtMs, job: "a" }],
  });
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

const shown = scenario();
const opened: Scenario[] = [];
const refusing = {
  settled: () => Promise.resolve(),
  complete: () => null,
  holdQuestions: () => () => undefined,
  open: (document: Scenario): Promise<OpenOutcome> => {
    opened.push(document);
    return Promise.resolve({ kind: "problems", problems: [] });
  },
} as unknown as WorkerClient;

beforeEach(async () => {
  await fetchLinkCode();
  opened.length = 0;
  branches.clear();
  useApp.setState({ scenario: shown, baseId: null, notice: null });
});

test("kept futures that a damaged link has lost are told", async () => {
  const text = encodeVariants([scenario(500)], shown) ?? "";
  await restoreFutures(refusing, text.slice(0, -1));
  expect(useApp.getState().notice?.text).toContain("The futures that the link kept");
  expect(opened).toEqual([]);
});

test("a kept future that is refused is told, and the scenario that is shown runs again", async () => {
  const refused = scenario(500);
  await restoreFutures(refusing, encodeVariants([refused], shown) ?? "");
  expect(opened).toEqual([refused, shown]);
  expect(useApp.getState().notice?.text).toContain("could not be brought back");
});

test("a link names the digest of its own run, never that of the run before it", () => {
  const current = { ...EMPTY_FUTURE, done: true, digest: "0123456789abcdef" };
  runData.set({ current: { ...current, scenario: scenario(500) } });
  expect(currentFragment()).not.toContain("d=");
  runData.set({ current: { ...current, scenario: shown } });
  expect(currentFragment()).toContain("&d=01234567");
});
