/** The books are kept by adding and taking off; here they are held against a count of all jobs anew. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  copyLimitBooks,
  type LimitBooks,
  type LimitJob,
  onChangeQos,
  onEnd,
  onLeave,
  onStart,
  onSubmit,
  qosOrder,
  qosRow,
  runMinutes,
  userRow,
} from "../../../src/scheduling/limits/books.ts";
import { booksOf, ENTRY_OF, gpus, jobOf, MINUTE, USERS } from "./limitWorld.ts";

interface Life {
  job: LimitJob;
  gpus: number;
  startMs: number;
}

const WORLD = {
  qos: [
    { name: "q", usageFactor: 2, grpTres: { "gres/gpu": 9 } },
    { name: "part", grpTresRunMins: { cpu: 9 } },
  ],
  partitions: [{ name: "main" }, { name: "other", qos: "part" }],
};

function freshBooks(): LimitBooks {
  return booksOf(WORLD);
}

const step = fc.record({
  what: fc.constantFrom("submit", "start", "end", "leave", "qos") as fc.Arbitrary<string>,
  slot: fc.nat(9),
  user: fc.constantFrom("alice", "bob", "carol"),
  qos: fc.nat(2),
  partition: fc.nat(1),
  gpus: fc.nat(8),
  atMin: fc.nat(100),
});

/** What lives after these steps, told to the books as it happens. */
function live(
  books: LimitBooks,
  steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[],
): Life[] {
  const lives = new Map<number, Life>();
  for (const { what, slot, user, qos, partition, gpus: count, atMin } of steps) {
    const life = lives.get(slot);
    if (what === "submit" && life === undefined) {
      const job = jobOf(user, { qos, partition });
      lives.set(slot, { job, gpus: -1, startMs: 0 });
      onSubmit(books, job);
    } else if (life !== undefined && what === "start" && life.gpus < 0) {
      // A job may start in another partition than the one it was submitted to first.
      life.job = { ...life.job, partition };
      life.gpus = count;
      life.startMs = atMin * MINUTE;
      onStart(books, life.job, gpus(count), life.startMs);
    } else if (life !== undefined && what === "end" && life.gpus >= 0) {
      life.gpus = -1;
      onEnd(books, life.job);
    } else if (life !== undefined && what === "qos") {
      life.job = { ...life.job, qos, partition };
      onChangeQos(books, life.job);
    } else if (life !== undefined && what === "leave") {
      onLeave(books, life.job);
      lives.delete(slot);
    }
  }
  return [...lives.values()];
}

function holdsAgainst(books: LimitBooks, lives: readonly Life[]): void {
  const width = books.setup.tres.length;
  const tickMs = Math.max(0, ...lives.filter((life) => life.gpus >= 0).map((one) => one.startMs));
  const matches = (row: number, counted: (job: LimitJob) => boolean): void => {
    const mine = lives.filter(({ job }) => counted(job));
    const runs = mine.filter((life) => life.gpus >= 0);
    expect(books.submitted[row] ?? 0).toBe(mine.length);
    expect(books.running[row] ?? 0).toBe(runs.length);
    books.setup.tres.forEach((name, at) => {
      const amount = (life: Life): number => gpus(life.gpus)[name] ?? 0;
      const used = runs.reduce((sum, life) => sum + amount(life), 0);
      expect(books.tres[row * width + at] ?? 0).toBe(used);
      const factor = (life: Life): number => books.setup.qos[life.job.qos]!.usageFactor;
      const left = runs.reduce(
        (sum, life) => sum + amount(life) * factor(life) * ((life.startMs - tickMs) / MINUTE + 10),
        0,
      );
      expect(runMinutes(books, row, at, tickMs)).toBeCloseTo(Math.max(0, left), 6);
    });
  };
  for (const user of ["alice", "bob", "carol"])
    matches(ENTRY_OF[user]!, (job) => job.assoc === ENTRY_OF[user]);
  matches(2, (job) => job.assoc === 3 || job.assoc === 4);
  matches(0, () => true);
  for (let qos = 0; qos < 3; qos++) {
    matches(qosRow(books.setup, qos), (job) => qosOrder(books.setup, job).includes(qos));
    for (let user = 1; user < USERS.length; user++) {
      const row = userRow(books, qos, user);
      matches(row, (job) => job.user === user && qosOrder(books.setup, job).includes(qos));
    }
  }
}

describe("limit books", () => {
  it("after any sequence of submissions, starts, ends and changes equal a count of what lives", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const books = freshBooks();
        holdsAgainst(books, live(books, steps));
      }),
    );
  });

  it("copied share nothing: what happens later to one does not show in the other", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 30 }),
        fc.array(step, { maxLength: 30 }),
        (before, after) => {
          const books = freshBooks();
          const lives = live(books, before);
          const copy = copyLimitBooks(books);
          live(books, after);
          holdsAgainst(copy, lives);
        },
      ),
    );
  });
});

describe("minutes still to run", () => {
  it("count in whole from a start to the next tick: time before the start is not taken off", () => {
    const books = booksOf(WORLD);
    const job = jobOf("alice");
    onStart(books, job, gpus(2), 4 * MINUTE);
    const row = qosRow(books.setup, job.qos);
    const at = books.setup.tres.indexOf("gres/gpu");
    expect(runMinutes(books, row, at, -MINUTE)).toBe(20);
    expect(runMinutes(books, row, at, 6 * MINUTE)).toBe(16);
  });
});
