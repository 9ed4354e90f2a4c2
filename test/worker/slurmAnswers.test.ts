import { beforeAll, describe, expect, test } from "vitest";
import { SLURM } from "../../e2e/support/slurm.ts";
import type { SlurmTables } from "../../src/model/slurm/tables.ts";
import { readScenario } from "../../src/scenario/read.ts";
import { joinStage } from "../../src/store/stageParts.ts";
import { foremost, ROWS_MOST } from "../../src/worker/foremost.ts";
import { Host } from "../../src/worker/host.ts";

const MINUTE = 60_000;
const tasks: (() => void)[] = [];
let nowMs = 0;
const host = new Host({
  clock: () => (nowMs += 0.1),
  breathe: (task) => tasks.push(task),
  transfer: (value) => value,
});
const port: {
  postMessage: () => void;
  onmessage: ((event: { data: { generation: number } }) => void) | null;
} = { postMessage: () => undefined, onmessage: null };
let idxOf: (id: string) => number;

beforeAll(async () => {
  await host.connect(port as unknown as MessagePort);
  const read = readScenario(SLURM);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const outcome = await host.open(read.value);
  if (outcome.kind !== "opened") throw new Error(JSON.stringify(outcome));
  const { ids, count } = joinStage(outcome.stage, null).jobs;
  const names = Array.from({ length: count }, (_, idx) => {
    const number = ids.numbers[idx] ?? -1;
    return number >= 0 ? String(number) : (ids.texts.get(idx) ?? "");
  });
  idxOf = (id) => names.indexOf(id);
  for (let turns = 0; turns < 10_000 && tasks.length > 0; turns++) {
    tasks.shift()?.();
    port.onmessage?.({ data: { generation: outcome.stage.generation } });
  }
});

describe("the tables of a pool under Slurm", () => {
  test("list who is pending by priority, and each priority is the sum of its terms", async () => {
    const tables = await host.tables(0, 45 * MINUTE);
    if (!tables) throw new Error("no tables");
    const priorities = tables.squeue.map((row) => row.priority);
    expect(priorities.length).toBeGreaterThan(4);
    expect(tables.pending).toBe(priorities.length);
    expect(priorities).toEqual([...priorities].sort((a, b) => b - a));
    const waiting = tables.squeue.filter((row) => row.reason !== "Dependency");
    for (const row of tables.sprio.filter((one) =>
      waiting.some((job) => job.jobIdx === one.jobIdx),
    )) {
      const sum =
        row.age +
        row.assoc +
        row.fairshare +
        row.jobSize +
        row.partitionFactor +
        row.qos -
        row.nice;
      expect(row.priority).toBe(Math.trunc(Math.max(1, sum)));
    }
    expect(tables.sshare.map((row) => row.account)).toContain("vision");
    expect(tables.reservations.map((row) => row.name)).toEqual(["maint-n4"]);
  });

  test("a queue of more jobs than people read is cut to those of highest priority", () => {
    const squeue = Array.from({ length: ROWS_MOST + 500 }, (_, jobIdx) => ({
      jobIdx,
      priority: jobIdx,
    }));
    const cut = foremost({ squeue, sprio: [] } as unknown as SlurmTables);
    expect(cut.pending).toBe(ROWS_MOST + 500);
    expect(cut.squeue).toHaveLength(ROWS_MOST);
    expect(cut.squeue[0]?.priority).toBe(ROWS_MOST + 499);
  });
});

describe("the facts of one job", () => {
  test("walk from the root to its user: siblings by LevelFS, and the rank is the fair-share factor", async () => {
    const facts = await host.jobFacts(idxOf("107"), 45 * MINUTE);
    const share = facts?.slurm?.fairShare;
    if (!share) throw new Error("no fair share");
    expect(share.levels.map((level) => level.account)).toEqual(["root", "vision"]);
    expect(share.levels.map((level) => level.siblings.find((one) => one.chosen)?.name)).toEqual([
      "vision",
      "ben",
    ]);
    for (const { siblings } of share.levels) {
      const levelFs = siblings.map((one) => one.levelFs);
      expect(levelFs).toEqual([...levelFs].sort((a, b) => b - a));
    }
    const own = share.levels.at(-1)!.siblings.find((one) => one.chosen)!;
    expect(own.rank / share.users).toBeCloseTo(share.factor, 12);
  });

  test("name what it depends on, and how far that has come", async () => {
    const at = async (minute: number) =>
      (await host.jobFacts(idxOf("107"), minute * MINUTE))?.dependencies.map(
        ({ kind, onJobIdx, state }) => [kind, onJobIdx, state],
      );
    expect(await at(45)).toEqual([["afterOk", idxOf("103"), "open"]]);
    expect(await at(150)).toEqual([["afterOk", idxOf("103"), "met"]]);
  });

  test("of a running job say who may preempt it, and how", async () => {
    const facts = await host.jobFacts(idxOf("102"), 45 * MINUTE);
    expect(facts?.slurm?.preemptable).toMatchObject({ of: "qos", by: ["high"], mode: "requeue" });
    const safe = await host.jobFacts(idxOf("101"), 45 * MINUTE);
    expect(safe?.slurm?.preemptable?.by).toEqual([]);
    const again = await host.jobFacts(idxOf("102"), 100 * MINUTE);
    expect(again?.slurm?.restarts).toBe(1);
    expect(again?.slurm?.preemptable).toBeNull();
  });
});
