// The address bar against a browser of three fields: what is written, and when.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { RunMetrics } from "../../src/metrics/runMetrics.ts";
import { readScenario } from "../../src/scenario/read.ts";
import type { Scenario } from "../../src/scenario/schema.ts";
import { keepMetrics } from "../../src/store/knownMetrics.ts";
import { fetchLinkCode } from "../../src/store/linkCode.ts";
import { EMPTY_FUTURE, type Future, runData } from "../../src/store/runData.ts";
import { useApp } from "../../src/store/store.ts";
import { arrivedAt, followLayer, followNumbers, readMark, writeUrl } from "../../src/store/url.ts";

const metrics = { waitSec: { mean: 60 } } as RunMetrics;
let stop: () => void;
let future: Future;
/** States of the entries of a browser's history, the shown one last. */
let entries: unknown[];

function scenario(title = "One node"): Scenario {
  const read = readScenario({
    version: 1,
    title,
    cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 8 }] },
    workload: { jobs: [{ id: "a", submitMs: 0, gpus: 1, workMs: 1_000 }] },
  });
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

beforeEach(async () => {
  await fetchLinkCode();
  vi.useFakeTimers();
  const place = { origin: "https://q.test", pathname: "/", search: "", hash: "", href: "" };
  entries = [null];
  const put = (state: unknown, address: string): void => {
    place.href = address;
    if (address.includes("#")) place.hash = address.slice(address.indexOf("#"));
    entries[entries.length - 1] = state;
  };
  vi.stubGlobal("location", place);
  const frame = {};
  vi.stubGlobal("window", Object.assign(frame, { parent: frame }));
  vi.stubGlobal("history", {
    state: null,
    pushState: (state: unknown, _: string, address: string) => {
      entries.push(null);
      put(state, address);
    },
    replaceState: (state: unknown, _: string, address: string) => put(state, address),
    back: vi.fn(),
  });
  readMark();
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

/** Back: the browser shows the entry before, and tells its state. */
function back(): ReturnType<typeof arrivedAt> {
  entries.pop();
  return arrivedAt(entries.at(-1));
}

test("an editor that opens is a step, and Back out of it closes it without touching the view", () => {
  writeUrl("replace");
  followLayer(true);
  expect(entries).toHaveLength(2);
  expect(back()).toBe("layer");
});

test("an editor that was closed by hand leaves a spare entry, which the next change takes over", () => {
  writeUrl("replace");
  followLayer(true);
  followLayer(false);
  expect(entries.at(-1)).toMatchObject({ step: 1, spare: true, layer: false });
  useApp.setState({ scenario: scenario("Another") });
  writeUrl("push");
  expect(entries).toHaveLength(2);
  expect(entries.at(-1)).toMatchObject({ step: 1, spare: false });
});

test("what is applied in an editor takes the place of its entry, and closing it then adds nothing", () => {
  writeUrl("replace");
  followLayer(true);
  useApp.setState({ scenario: scenario("Another") });
  writeUrl("push");
  followLayer(false);
  expect(entries).toHaveLength(2);
  expect(entries.at(-1)).toMatchObject({ step: 1, spare: false, layer: false });
});
