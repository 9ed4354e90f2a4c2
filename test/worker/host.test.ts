import { expect, test } from "vitest";
import type { DataMessage } from "../../src/protocol/messages.ts";
import type { Scenario } from "../../src/scenario/schema.ts";
import { Host } from "../../src/worker/host.ts";

/** A host whose turns are taken one by one, with a port that keeps what it is given. */
function hostOnBench(acknowledges = false) {
  const tasks: (() => void)[] = [];
  const sent: DataMessage[] = [];
  let nowMs = 0;
  const host = new Host({
    clock: () => (nowMs += 0.5),
    breathe: (task) => tasks.push(task),
    transfer: (value) => value,
  });
  const port = {
    onmessage: null as ((event: { data: object }) => void) | null,
    postMessage: (message: DataMessage) => {
      sent.push(message);
      if (!acknowledges || message.kind !== "chunk") return;
      const { generation } = message;
      tasks.push(() => port.onmessage?.({ data: { kind: "ack", generation } }));
    },
  };
  void host.connect(port as unknown as MessagePort);
  const turn = () => tasks.shift()?.();
  return { host, sent, tasks, turn };
}

const overloaded = {
  version: 1,
  cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4 }] },
  pools: [{ id: "all", policy: { settings: { backfill: "conservative" } } }],
  workload: {
    jobs: Array.from({ length: 600 }, (_, i) => ({
      id: `job-${i}`,
      gpus: 1 + (i % 4),
      submitMs: i * 1_000,
      workMs: 60_000,
      limitMs: 600_000,
    })),
  },
} as unknown as Scenario;

test("a run with a deep plan stops at the first turn after a cancel and goes on where it stood", async () => {
  const { host, sent, tasks, turn } = hostOnBench();
  const outcome = await host.open(overloaded);
  expect(outcome.kind).toBe("opened");
  for (let i = 0; i < 3; i++) turn();
  await host.cancel();
  expect(sent.at(-1)).toMatchObject({
    kind: "progress",
    progress: { cancelled: true, done: false },
  });
  const before = sent.length;
  while (tasks.length > 0) turn();
  expect(sent.length, "nothing is said or done after it").toBe(before);
  await host.resume();
  while (tasks.length > 0) turn();
  expect(sent.length).toBeGreaterThan(before);
});

test("of many traces the three asked for last are kept; an older one is asked for again", async () => {
  const { host } = hostOnBench();
  const add = async (submit: number) => {
    const row = [1, submit, -1, 10, 1, -1, -1, 1, 20, -1, 1, 1, 1, 1, 1, 1, -1, -1].join(" ");
    const bytes = new TextEncoder().encode(`; MaxProcs: 4\n${row}\n`);
    const outcome = await host.addTrace(`${submit}.swf`, new Blob([bytes]));
    if (outcome.kind !== "read") throw new Error(JSON.stringify(outcome));
    return outcome.suggested;
  };
  const first = await add(1);
  const second = await add(2);
  await add(3);
  expect((await host.open(first)).kind, "asked for: younger than the second").toBe("opened");
  await add(4);
  expect((await host.open(first)).kind).toBe("opened");
  expect((await host.open(second)).kind).toBe("traceNeeded");
});

test("a workload that was read is taken by its number, and one that was let go is asked for again", async () => {
  const { host, sent, tasks, turn } = hostOnBench(true);
  const run = () => {
    while (tasks.length > 0) turn();
    const last = sent.at(-1);
    if (last?.kind !== "done") throw new Error("the run is not over");
    return last.digest;
  };
  const drained = {
    ...overloaded,
    interventions: [{ kind: "drain", atMs: 200_000, nodes: ["n-001"] }],
  } as unknown as Scenario;
  const without = (document: Scenario) =>
    ({ ...document, workload: { jobs: [], synthetic: [] } }) as Scenario;
  await host.open(overloaded, { key: 1, whole: true });
  const before = run();
  await host.open(without(drained), { key: 1, whole: false });
  const after = run();
  const fresh = hostOnBench(true);
  await fresh.host.open(drained);
  while (fresh.tasks.length > 0) fresh.turn();
  expect(fresh.sent.at(-1)).toMatchObject({ kind: "done", digest: after });
  expect(after).not.toBe(before);
  const wrong = { ...without(overloaded), interventions: [{ kind: "cancel", atMs: 1, job: "no" }] };
  expect((await host.open(wrong as Scenario, { key: 1, whole: false })).kind).toBe("problems");
  await host.open(overloaded, { key: 2, whole: true });
  await host.open(overloaded, { key: 3, whole: true });
  expect(await host.open(without(drained), { key: 1, whole: false })).toEqual({
    kind: "workloadNeeded",
  });
});

test("a document tried over a trace finds the trace where its workload crosses by number", async () => {
  const { host, tasks, turn } = hostOnBench(true);
  const rows = [1, 2].map((id) =>
    [id, id, -1, 600, 4, -1, -1, 4, 600, -1, 1, 1, 1, 1, 1, 1, -1, -1].join(" "),
  );
  const bytes = new TextEncoder().encode(`; MaxProcs: 4\n${rows.join("\n")}\n`);
  const read = await host.addTrace("two.swf", new Blob([bytes]));
  if (read.kind !== "read") throw new Error(JSON.stringify(read));
  await host.open(read.suggested, { key: 1, whole: true });
  while (tasks.length > 0) turn();
  const cancelled = {
    ...read.suggested,
    workload: { jobs: [], synthetic: [] },
    interventions: [{ kind: "cancel", atMs: 100_000, job: "1" }],
  } as unknown as Scenario;
  expect(await host.tryDocument(cancelled, "2", { key: 1, whole: false })).toEqual({
    kind: "starts",
    startMs: 100_000,
  });
});
