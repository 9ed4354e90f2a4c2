// Page and worker joined by real ports, with the real engine: what crosses, what is kept, what survives a death.
import { expose, transfer } from "comlink";
import { afterAll, beforeEach, expect, test } from "vitest";
import { readScenario } from "../../src/scenario/read.ts";
import type { Scenario, ScenarioInput } from "../../src/scenario/schema.ts";
import { EMPTY_FUTURE, runData } from "../../src/store/runData.ts";
import { useApp } from "../../src/store/store.ts";
import { WorkerClient } from "../../src/store/workerClient.ts";
import { Host } from "../../src/worker/host.ts";

const HOUR = 3_600_000;
const ports: MessagePort[] = [];

class FakeWorker extends EventTarget {
  readonly #port: MessagePort;
  constructor() {
    super();
    const { port1, port2 } = new MessageChannel();
    ports.push(port1, port2);
    this.#port = port1;
    port1.addEventListener("message", (event) => {
      this.dispatchEvent(new MessageEvent("message", { data: (event as MessageEvent).data }));
    });
    port1.start();
    const host = new Host({
      clock: () => performance.now(),
      breathe: (task) => (held ? held.push(task) : setTimeout(task)),
      transfer,
    });
    expose(host, port2 as never);
  }
  readonly posted: unknown[] = [];
  postMessage(message: unknown, buffers: Transferable[] = []): void {
    this.posted.push(message);
    this.#port.postMessage(message, buffers as never);
  }
  terminate(): void {
    this.#port.close();
  }
  crash(): void {
    this.dispatchEvent(new Event("error", { cancelable: true }));
  }
}

/** While it is a list, workers do not get on with their runs. */
let held: (() => void)[] | null = null;
let workers: FakeWorker[] = [];
let restarts = 0;
const kept = new Map<string, { name: string; content: Blob }>();

function client(): WorkerClient {
  return new WorkerClient({
    spawn: () => {
      const worker = new FakeWorker();
      workers.push(worker);
      return worker as unknown as Worker;
    },
    findTrace: (sha256) => Promise.resolve(kept.get(sha256) ?? null),
    onRestart: () => {
      restarts += 1;
    },
    onDone: () => undefined,
  });
}

function scenario(change: Partial<ScenarioInput> = {}): Scenario {
  const read = readScenario({
    version: 1,
    title: "Test",
    horizonMs: 72 * HOUR,
    cluster: { nodeGroups: [{ id: "n", count: 4, gpus: 8 }] },
    workload: {
      synthetic: [
        {
          id: "mix",
          untilMs: 72 * HOUR,
          arrivals: { perHour: 20 },
          gpus: [
            { value: 1, weight: 4 },
            { value: 8, weight: 2 },
            { value: 16, weight: 1 },
          ],
          work: { medianMs: HOUR, leastMs: 60_000, mostMs: 6 * HOUR },
        },
      ],
    },
    ...change,
  });
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

const drain = (atMs: number): Partial<ScenarioInput> => ({
  interventions: [{ kind: "drain", atMs, nodes: [] as unknown as [string] }],
});
const policyAt = (atMs: number): Partial<ScenarioInput> => ({
  interventions: [
    { kind: "policy", atMs, policy: { preset: "lab", settings: { backfill: "none" } } },
  ],
});

beforeEach(() => {
  workers = [];
  restarts = 0;
  runData.set({ stage: null, current: EMPTY_FUTURE, ghost: null, ghostFromMs: 0, progress: null });
  useApp.setState({ runStatus: { phase: "empty" } });
});

afterAll(() => {
  for (const port of ports) port.close();
});

test("an edit in the middle keeps the chunks before it, makes the old future the ghost, and gives the digest of a fresh run", async () => {
  const page = client();
  await page.open(scenario(), null);
  await page.settled();
  const before = runData.get().current;
  expect(before.done).toBe(true);
  // How many there are depends on how many events a slice of the run loop holds, and so on the machine.
  expect(before.chunks.length).toBeGreaterThan(1);

  const editMs = 48 * HOUR;
  await page.open(scenario(policyAt(editMs)), editMs);
  await page.settled();
  const { current, ghost, ghostFromMs } = runData.get();
  expect(ghost).toBe(before);
  expect(ghostFromMs).toBe(editMs);
  const shared = current.chunks.filter((chunk, index) => chunk === before.chunks[index]);
  expect(shared.length).toBeGreaterThan(0);
  for (const chunk of shared) expect(chunk.toMs).toBeLessThanOrEqual(editMs);
  expect(current.digest).not.toBe(before.digest);

  const fresh = client();
  await fresh.open(scenario(policyAt(editMs)), null);
  await fresh.settled();
  expect(runData.get().current.digest).toBe(current.digest);
});

test("a document that is opened again, and one that differs after its end, still know what runs at the end", async () => {
  const page = client();
  await page.open(scenario(), null);
  await page.settled();
  const before = runData.get().current;
  const jobs = before.open?.rects.jobIdx;
  expect(jobs?.length).toBeGreaterThan(0);
  for (const editMs of [72 * HOUR, Number.POSITIVE_INFINITY, null]) {
    await page.open(scenario({ title: "Another title" }), editMs);
    await page.settled();
    const { current } = runData.get();
    expect(current.digest).toBe(before.digest);
    expect(current.open?.rects.jobIdx).toEqual(jobs);
  }
});

test("undoing an edit brings the old digest back", async () => {
  const page = client();
  await page.open(scenario(), null);
  await page.settled();
  const { digest } = runData.get().current;
  await page.open(scenario(policyAt(30 * HOUR)), 30 * HOUR);
  await page.open(scenario(), 30 * HOUR);
  await page.settled();
  expect(runData.get().current.digest).toBe(digest);
});

test("the undo of an edit whose run was complete sends no chunk, shows the very future of before, and its redo the one after it", async () => {
  const page = client();
  await page.open(scenario(), null);
  await page.settled();
  const before = runData.get().current;
  await page.open(scenario(policyAt(30 * HOUR)), 30 * HOUR);
  await page.settled();
  const after = runData.get().current;
  const seen: number[] = [];
  const stop = runData.subscribe(({ current }) => seen.push(current.chunks.length));
  for (const [document, future] of [
    [scenario(), before],
    [scenario(policyAt(30 * HOUR)), after],
    [scenario(), before],
  ] as const) {
    await page.open(document, 30 * HOUR);
    await page.settled();
    const { current } = runData.get();
    expect(current.digest).toBe(future.digest);
    expect(current.chunks).toHaveLength(future.chunks.length);
    expect(current.chunks.every((chunk, i) => chunk === future.chunks[i])).toBe(true);
    expect(current.endMs).toBe(future.endMs);
    // From then on it is a run like any other.
    expect(await page.explain(0, 20 * HOUR)).toBeNull();
  }
  stop();
  expect(new Set(seen)).toEqual(new Set([before.chunks.length, after.chunks.length]));
});

test("a run that comes to stand where the one before the edit stood takes the rest of its record over", async () => {
  const inject = {
    kind: "inject" as const,
    atMs: 30 * HOUR,
    job: { id: "one-more", gpus: 1, workMs: 60_000, limitMs: 60_000 },
  };
  // Many events, so that however fast the machine is there are many chunks; and a machine that is often empty, so that nothing lasts.
  const quiet = (interventions: ScenarioInput["interventions"]) =>
    scenario({
      cluster: { nodeGroups: [{ id: "n", count: 400, gpus: 8 }] },
      interventions,
      workload: {
        synthetic: [
          {
            id: "many",
            untilMs: 72 * HOUR,
            arrivals: { perHour: 250 },
            gpus: [{ value: 1, weight: 1 }],
            work: { medianMs: 30_000, leastMs: 1_000, mostMs: 120_000 },
          },
        ],
      },
    });
  const page = client();
  await page.open(quiet([]), null);
  await page.settled();
  const before = runData.get().current;
  await page.open(quiet([inject]), 30 * HOUR);
  await page.settled();
  const { current } = runData.get();
  const columns = new Set(before.chunks.map((chunk) => chunk.rects.startMs));
  const shared = current.chunks.filter((chunk) => columns.has(chunk.rects.startMs));
  expect(shared.at(-1)?.toMs).toBe(before.chunks.at(-1)?.toMs);
  expect(shared.filter((chunk) => chunk.fromMs >= 30 * HOUR).length).toBeGreaterThan(0);
  for (let i = 1; i < current.chunks.length; i++)
    expect(current.chunks[i]?.fromMs).toBe(current.chunks[i - 1]?.toMs);

  const fresh = client();
  await fresh.open(quiet([inject]), null);
  await fresh.settled();
  expect(runData.get().current.digest).toBe(current.digest);
  expect(current.digest).not.toBe(before.digest);
});

test("an edit leaves the workload at home, and a new worker is told it again", async () => {
  const page = client();
  const base = scenario();
  const edited = { ...base, interventions: scenario(policyAt(30 * HOUR)).interventions };
  await page.open(base, null);
  const sent = workers.at(-1)!.posted;
  sent.length = 0;
  await page.open(edited, 30 * HOUR);
  await page.settled();
  const { digest } = runData.get().current;
  expect(JSON.stringify(sent)).toContain('"synthetic":[]');
  expect(JSON.stringify(sent)).not.toContain("perHour");
  workers.at(-1)!.crash();
  await page.open(base, 30 * HOUR);
  await page.open(edited, 30 * HOUR);
  await page.settled();
  expect(runData.get().current.digest).toBe(digest);
});

test("chunks follow each other without a gap, whatever edits come while the run goes on", async () => {
  const page = client();
  await page.open(scenario(), null);
  for (const hours of [60, 20, 40, 10])
    void page.open(scenario(policyAt(hours * HOUR)), Math.min(hours, 20) * HOUR);
  await page.open(scenario(policyAt(10 * HOUR)), 10 * HOUR);
  await page.settled();
  const { chunks } = runData.get().current;
  expect(chunks[0]?.fromMs).toBe(0);
  for (let i = 1; i < chunks.length; i++) expect(chunks[i]?.fromMs).toBe(chunks[i - 1]?.toMs);
  expect(runData.get().current.done).toBe(true);
});

test("a refused document leaves the run as it is", async () => {
  const page = client();
  await page.open(scenario(), null);
  await page.settled();
  const before = runData.get().current;
  const outcome = await page.open({ ...scenario(), ...drain(HOUR) } as Scenario, HOUR);
  expect(outcome.kind).toBe("problems");
  expect(useApp.getState().runStatus.phase).toBe("problems");
  expect(runData.get().current).toBe(before);
});

test("a worker that dies is started again and computes the same digest", async () => {
  const page = client();
  await page.open(scenario(), null);
  await page.settled();
  const { digest } = runData.get().current;
  workers[0]?.crash();
  await page.settled();
  expect(restarts).toBe(1);
  expect(workers).toHaveLength(2);
  expect(runData.get().current.digest).toBe(digest);
});

test("a stopped run says so and goes on to the same digest", async () => {
  const page = client();
  held = [];
  await page.open(scenario(), null);
  await page.cancel();
  await page.settled();
  expect(useApp.getState().runStatus.phase).toBe("cancelled");
  expect(runData.get().current.done).toBe(false);
  const waiting = held;
  held = null;
  for (const task of waiting) task();
  await page.resume();
  await page.settled();
  const { digest } = runData.get().current;
  const fresh = client();
  await fresh.open(scenario(), null);
  await fresh.settled();
  expect(digest).toBe(runData.get().current.digest);
});

const swf = [
  "; MaxProcs: 8",
  ...Array.from(
    { length: 30 },
    (_, i) =>
      `${i + 1} ${i * 60} -1 600 ${1 + (i % 4)} -1 -1 ${1 + (i % 4)} 900 -1 1 1 1 1 1 -1 -1 -1`,
  ),
].join("\n");
const fileOf = (text: string): Blob => new Blob([text]);

test("a trace is suggested the machine it names, and a page that has lost it asks for it by name, size and hash", async () => {
  const page = client();
  const read = await page.addTrace("small.swf", fileOf(swf));
  if (read.kind !== "read") throw new Error(JSON.stringify(read));
  expect(read.jobs).toBe(30);
  expect(read.suggested.cluster).toMatchObject({ flat: true, nodeGroups: [{ gpus: 8 }] });
  await page.open(read.suggested, null);
  await page.settled();
  expect(runData.get().stage?.jobs.count).toBe(30);
  const { digest } = runData.get().current;

  const elsewhere = client();
  const outcome = await elsewhere.open(read.suggested, null);
  expect(outcome).toMatchObject({
    kind: "traceNeeded",
    name: "small.swf",
    sha256: read.sha256,
    bytes: swf.length,
  });
  kept.set(read.sha256, { name: "small.swf", content: fileOf(swf) });
  await elsewhere.open(read.suggested, null);
  await elsewhere.settled();
  expect(runData.get().current.digest).toBe(digest);
});

test("a document that waits for its trace ends the run before it: nothing of that run arrives any more", async () => {
  const page = client();
  await page.open(scenario(), null);
  const outcome = await page.open(
    scenario({
      workload: { trace: { name: "x.swf", format: "swf", sha256: "a".repeat(64), bytes: 9 } },
    }),
    null,
  );
  expect(outcome.kind).toBe("traceNeeded");
  runData.set({ stage: null, current: EMPTY_FUTURE, ghost: null });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(useApp.getState().runStatus.phase).toBe("traceNeeded");
  expect(runData.get().current).toBe(EMPTY_FUTURE);
  await page.open(scenario(), null);
  await page.settled();
  expect(runData.get().current.digest).toMatch(/^[0-9a-f]{64}$/);
});

test("trying again after a failure runs the document that is shown, not the last one that ran", async () => {
  const page = client();
  await page.open(scenario(), null);
  await page.settled();
  const opening = page.open(scenario({ title: "Newer", seed: 9 }), null).catch(() => null);
  await new Promise((resolve) => setTimeout(resolve));
  for (let death = 0; death < 4; death++) {
    workers.at(-1)?.crash();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await opening;
  await page.retry();
  await page.settled();
  const { digest } = runData.get().current;
  await page.open(scenario({ seed: 9 }), null);
  await page.settled();
  expect(runData.get().current.digest).toBe(digest);
});

test("the page is not at rest while a document waits for its turn behind one whose run has ended", async () => {
  const page = client();
  const small = (seed: number) => scenario({ seed, horizonMs: HOUR });
  const opens = [1, 2, 3, 4].map((seed) => page.open(small(seed), null));
  await page.settled();
  const { digest } = runData.get().current;
  await Promise.all(opens);
  await page.open(small(4), null);
  await page.settled();
  expect(digest).toBe(runData.get().current.digest);
});

test("a run out of sight changes nothing that is shown and is handed over whole; questions wait until the shown one is back", async () => {
  const page = client();
  const shown = scenario();
  await page.open(shown, null);
  await page.settled();
  const { version, current } = runData.get();
  const release = page.holdQuestions();
  const asked = page.explain(0, 0);
  let answered = false;
  void asked.then(() => {
    answered = true;
  });
  const aside = scenario(policyAt(48 * HOUR));
  await page.open(aside, 48 * HOUR, "nothing");
  await page.settled();
  expect(runData.get().current).toBe(current);
  expect(page.complete()?.future).toMatchObject({ scenario: aside, done: true });
  expect(page.complete()?.future.digest).not.toBe(current.digest);

  const seen = new Set<boolean>();
  const stop = runData.subscribe((data) => seen.add(data.current.done));
  await page.open(shown, 48 * HOUR, "whole");
  await page.settled();
  stop();
  expect(seen).toEqual(new Set([true]));
  expect(runData.get().version).toBeGreaterThan(version);
  expect(runData.get().current.digest).toBe(current.digest);
  expect(runData.get().ghost).toBeNull();
  expect(answered).toBe(false);
  release();
  await asked;
});
