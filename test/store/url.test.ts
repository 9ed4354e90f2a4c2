// The address bar against a browser of three fields: what is written, and when.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { RunMetrics } from "../../src/metrics/runMetrics.ts";
import { readScenario } from "../../src/scenario/read.ts";
import type { Scenario } from "../../src/scenario/schema.ts";
import { keepMetrics } from "../../src/store/knownMetrics.ts";
import { fetchLinkCode } from "../../src/store/linkCode.ts";
import { EMPTY_FUTURE, type Future, runData } from "../../src/store/runData.ts";
import { useApp } from "../../src/store/store.ts";
import { followNumbers, writeUrl } from "../../src/store/url.ts";

const metrics = { waitSec: { mean: 60 } } as RunMetrics;
let stop: () => void;
let future: Future;

function scenario(): Scenario {
  const read = readScenario({
    version: 1,
    title: "One node",
    cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 8 }] },
    workload: { jobs: [{ id: "a", submitMs: 0, gpus: 1, workMs: 1_000 }] },
  });
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

beforeEach(async () => {
  await fetchLinkCode();
  vi.useFakeTimers();
  const place = { origin: "https://q.test", pathname: "/", search: "", hash: "" };
  const put = (_state: unknown, _title: string, address: string): void => {
    place.hash = address.slice(address.indexOf("#"));
  };
  vi.stubGlobal("location", place);
  vi.stubGlobal("history", { pushState: put, replaceState: put });
  const shown = scenario();
  future = { ...EMPTY_FUTURE, scenario: shown, chunks: [], done: true, digest: "0123456789abcdef" };
  useApp.setState({ scenario: shown, baseId: null, playing: false });
  runData.set({ current: future });
  stop = followNumbers();
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("the mean wait comes into the address when it is known, though nothing else changes any more", () => {
  writeUrl("replace");
  expect(location.hash).toMatch(/&d=01234567\.\d+&w=/);
  keepMetrics(future, metrics);
  vi.runAllTimers();
  expect(location.hash).toMatch(/&d=01234567\.\d+\.go&w=/);
});

test("the numbers of a run that is not shown, such as a kept future, write nothing", () => {
  writeUrl("replace");
  const before = location.hash;
  keepMetrics({ ...future, chunks: [] }, metrics);
  expect(vi.getTimerCount()).toBe(0);
  expect(location.hash).toBe(before);
});
