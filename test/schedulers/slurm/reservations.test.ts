import { expect, test } from "vitest";
import { outcomeOf, reasonsOf, runsOf } from "./tinyCluster.ts";

const job = (id: string, submitSec: number, more: object = {}) => ({
  id,
  submitSec,
  runtimeSec: 20,
  timeLimitSec: 60,
  ...more,
});
const create = (words: string) => `scontrol create reservation ${words}`;
const MAINT = "Reserved for maintenance";
const RESERVED = "May be reserved for other job";

test("a job may end as a window begins, and one that would last into it waits for its end", () => {
  const run = {
    commands: [
      [
        1,
        create(
          "reservationname=m starttime={T+100} duration=1 nodes=ALL flags=MAINT,IGNORE_JOBS users=root",
        ),
      ],
    ] as const,
    jobs: [job("A", 40), job("B", 41), job("C", 42, { timeLimitSec: 120 })],
  };
  expect(runsOf(run)).toEqual({
    A: ["40-60 n1 completed"],
    B: ["160-180 n1 completed"],
    C: ["160-180 n2 completed"],
  });
  expect(reasonsOf(run).B!.at(-1)).toContain(MAINT);
});

test("maintenance of some nodes leaves the others to work, and is told as a reservation", () => {
  const run = {
    commands: [
      [
        1,
        create("reservationname=m starttime={T+10} duration=2 nodes=n1,n2 flags=MAINT users=root"),
      ],
    ] as const,
    jobs: [job("A", 20, { nodes: 2 }), job("B", 50, { nodes: 3 })],
  };
  expect(runsOf(run)).toEqual({
    A: ["20-40 n3,n4 completed"],
    B: ["130-150 n1,n2,n3 completed"],
  });
  expect(reasonsOf(run).B!.at(-1)).toContain(RESERVED);
});

test("a reservation by number takes nodes that are idle when it begins, and fails without enough of them", () => {
  const holds = [job("A", 0, { nodes: 3, timeLimitSec: 600, runtimeSec: 300 })];
  const tried = (count: number) =>
    runsOf({
      commands: [
        [5, create(`reservationname=r starttime={T+10} duration=5 nodecnt=${count} users=bob`)],
      ],
      jobs: [...holds, job("B", 20)],
    }).B;
  // One node: it is reserved, alice waits for A. Two nodes cannot be had: alice gets the idle one.
  expect(tried(1)).toEqual(["300-320 n1 completed"]);
  expect(tried(2)).toEqual(["20-40 n4 completed"]);
});

test("nodes by name with a running job on them cannot be reserved, but for IGNORE_JOBS", () => {
  const tried = (flags: string) =>
    runsOf({
      commands: [
        [
          5,
          create(`reservationname=r starttime={T+10} duration=10 nodes=n1,n2 users=bob ${flags}`),
        ],
      ],
      jobs: [
        job("A", 0, { timeLimitSec: 600, runtimeSec: 100 }),
        job("B", 20, { nodes: 3, runtimeSec: 10 }),
        job("R", 20, { user: "bob", reservation: "r", nodes: 2 }),
      ],
    });
  expect(tried("").B).toEqual(["20-30 n2,n3,n4 completed"]);
  expect(tried("").R).toEqual([]);
  expect(tried("flags=IGNORE_JOBS").R).toEqual(["100-120 n1,n2 completed"]);
  expect(tried("flags=IGNORE_JOBS").B![0]).toMatch(/^610/);
});

test("a second reservation of the same nodes and time is refused, but for OVERLAP and MAINT", () => {
  const tried = (flags: string) =>
    runsOf({
      commands: [
        [1, create("reservationname=a starttime={T+10} duration=10 nodes=n1,n2 users=bob")],
        [2, create(`reservationname=b starttime={T+10} duration=10 nodes=n2 users=carol ${flags}`)],
      ],
      jobs: [job("C", 20, { user: "carol", reservation: "b" })],
    }).C;
  expect(tried("")).toEqual([]);
  expect(tried("flags=OVERLAP")).toEqual(["20-40 n2 completed"]);
  expect(tried("flags=MAINT")).toEqual(["20-40 n2 completed"]);
});

test("a job of a FLEX reservation may begin before it, on other nodes, and stay after its end", () => {
  const tried = (flags: string) =>
    runsOf({
      commands: [
        [1, create(`reservationname=r starttime={T+40} duration=1 nodes=n1 users=bob ${flags}`)],
      ],
      jobs: [job("R", 5, { user: "bob", reservation: "r", timeLimitSec: 300, runtimeSec: 130 })],
    }).R;
  expect(tried("flags=FLEX")).toEqual(["5-135 n1 completed"]);
  // Ends at 100; the next check of limits is at 114.
  expect(tried("")).toEqual(["40-114 n1 timeout"]);
});

test("a job of a FLEX reservation prefers the nodes reserved", () => {
  const runs = runsOf({
    commands: [
      [1, create("reservationname=r starttime={T+40} duration=5 nodes=n3 users=bob flags=FLEX")],
    ],
    jobs: [
      job("R", 5, { user: "bob", reservation: "r" }),
      job("S", 6, { user: "bob", reservation: "r" }),
    ],
  });
  expect(runs).toEqual({ R: ["5-25 n3 completed"], S: ["6-26 n4 completed"] });
});

test("a MAGNETIC reservation draws the jobs of those who may use it", () => {
  const runs = runsOf({
    commands: [
      [1, create("reservationname=r starttime={T+5} duration=5 nodes=n3 users=bob flags=MAGNETIC")],
    ],
    jobs: [job("R", 10, { user: "bob" }), job("S", 11, { user: "bob" }), job("A", 12)],
  });
  expect(runs).toEqual({
    R: ["10-30 n3 completed"],
    S: ["11-31 n4 completed"],
    A: ["12-32 n1 completed"],
  });
});

test("jobs of a reservation keep to its nodes, others keep off them", () => {
  const runs = runsOf({
    commands: [[1, create("reservationname=r starttime={T+5} duration=10 nodes=n3 users=bob")]],
    jobs: [
      job("A", 10, { user: "bob", reservation: "r" }),
      job("B", 11, { user: "bob", reservation: "r" }),
      job("C", 12, { nodes: 3 }),
    ],
  });
  expect(runs).toEqual({
    A: ["10-30 n3 completed"],
    B: ["30-50 n3 completed"],
    C: ["12-32 n1,n2,n4 completed"],
  });
});

test("jobs of a reservation are looked at before others that were submitted earlier", () => {
  const waiting = (reserved: object) =>
    runsOf({
      commands: [
        [1, create("reservationname=r starttime={T+5} duration=10 nodes=n3 users=bob flags=flex")],
      ],
      jobs: [
        job("A", 0, { nodes: 3, nodelist: "n[1-2],n4" }),
        job("O", 10, { nodes: 3, user: "bob" }),
        job("R", 11, { nodes: 2, user: "bob", ...reserved }),
      ],
    });
  expect(waiting({ reservation: "r" })).toMatchObject({
    R: ["20-40 n1,n2 completed"],
    O: ["40-60 n1,n2,n4 completed"],
  });
  expect(waiting({})).toMatchObject({
    O: ["20-40 n1,n2,n4 completed"],
    R: ["40-60 n1,n2 completed"],
  });
});

test("accounts let in all accounts below them, a name after a minus is kept out", () => {
  const tried = (words: string) =>
    runsOf({
      accounting: ["add account sub parent=acct", "add user carol account=sub"],
      commands: [[1, create(`reservationname=r starttime={T+5} duration=10 nodes=n3 ${words}`)]],
      jobs: [
        job("A", 10, { reservation: "r" }),
        job("C", 11, { user: "carol", account: "sub", reservation: "r" }),
      ],
    });
  expect(tried("accounts=acct")).toEqual({ A: ["10-30 n3 completed"], C: ["30-50 n3 completed"] });
  expect(tried("accounts=sub")).toEqual({ A: [], C: ["11-31 n3 completed"] });
  expect(tried("users=-alice")).toEqual({ A: [], C: ["11-31 n3 completed"] });
});

test("a deleted reservation frees its nodes at once and holds the jobs that wait for it", () => {
  const run = {
    commands: [
      [1, create("reservationname=r starttime={T+100} duration=10 nodes=n1,n2,n3 users=bob")],
      [30, "scontrol delete reservationname=r"],
    ] as const,
    jobs: [
      job("R", 5, { user: "bob", reservation: "r" }),
      job("B", 10, { nodes: 2, timeLimitSec: 120 }),
    ],
  };
  expect(runsOf(run)).toEqual({ R: [], B: ["30-50 n1,n2 completed"] });
  expect(reasonsOf(run).R).toEqual(["Reservation", "ReservationDeleted"]);
});

test("a reservation with running jobs is not deleted", () => {
  const runs = runsOf({
    commands: [
      [1, create("reservationname=r starttime={T+5} duration=10 nodes=n1 users=bob")],
      [20, "scontrol delete reservationname=r"],
    ],
    jobs: [
      job("R", 10, { user: "bob", reservation: "r" }),
      job("S", 22, { user: "bob", reservation: "r" }),
    ],
  });
  expect(runs.S).toEqual(["30-50 n1 completed"]);
});

test("a changed reservation keeps its nodes and its jobs", () => {
  const runs = runsOf({
    commands: [
      [1, create("reservationname=r starttime={T+5} duration=2 nodecnt=1 users=bob")],
      [20, "scontrol update reservationname=r duration=10"],
    ],
    jobs: [
      job("R", 10, { user: "bob", reservation: "r", runtimeSec: 150, timeLimitSec: 300 }),
      job("S", 11, { user: "bob", reservation: "r" }),
      job("A", 12, { nodes: 4 }),
    ],
  });
  expect(runs).toMatchObject({
    R: ["10-160 n1 completed"],
    S: ["160-180 n1 completed"],
    A: ["605-625 n1,n2,n3,n4 completed"],
  });
});

test("a reservation with PURGE_COMP goes when it has been idle for its time, seen at checks of time limits", () => {
  const runs = runsOf({
    commands: [
      [
        1,
        create(
          "reservationname=r starttime={T+5} duration=10 nodes=n1,n2 users=bob flags=PURGE_COMP=1",
        ),
      ],
    ],
    jobs: [job("R", 10, { user: "bob", reservation: "r" }), job("A", 12, { nodes: 4 })],
  });
  // In use until 30, found idle at 54, gone at 114.
  expect(runs).toEqual({ R: ["10-30 n1 completed"], A: ["114-134 n1,n2,n3,n4 completed"] });
});

test("a daily reservation comes again, also for jobs submitted a week ahead of it", () => {
  const day = 86_400;
  const run = {
    horizonSec: 8 * day,
    commands: [
      [
        1,
        create(
          "reservationname=r starttime={T+100} duration=1 nodes=ALL users=bob flags=DAILY,MAINT",
        ),
      ],
      [
        2,
        create(`reservationname=far starttime={T+${7 * day + 500}} duration=1 nodes=n1 users=bob`),
      ],
    ] as const,
    jobs: [
      job("A", 50, { timeLimitSec: 120 }),
      job("B", day + 50, { timeLimitSec: 120 }),
      job("C", day + 200, { timeLimitSec: 120 }),
      job("D", 7 * day + 490, { nodes: 4 }),
    ],
  };
  expect(runsOf(run)).toEqual({
    A: ["160-180 n1 completed"],
    B: [`${day + 160}-${day + 180} n1 completed`],
    C: [`${day + 200}-${day + 220} n1 completed`],
    D: [`${7 * day + 560}-${7 * day + 580} n1,n2,n3,n4 completed`],
  });
});

test("an ended reservation lets waiting jobs go on hold and nodes to everybody", () => {
  const run = {
    commands: [
      [1, create("reservationname=r starttime={T+5} duration=1 nodes=n1 users=bob")],
    ] as const,
    jobs: [
      job("R", 10, { user: "bob", reservation: "r", runtimeSec: 58 }),
      job("S", 11, { user: "bob", reservation: "r" }),
      job("A", 12, { nodes: 4 }),
    ],
  };
  expect(runsOf(run)).toEqual({
    R: ["10-68 n1 completed"],
    S: [],
    A: ["68-88 n1,n2,n3,n4 completed"],
  });
  expect(reasonsOf(run).S!.at(-1)).toBe("ReservationDeleted");
});

test("reservations are shown with the nodes that Slurm chose", () => {
  const { answers } = outcomeOf({
    commands: [
      [1, create("reservationname=r starttime={T+70} duration=2 nodecnt=2 users=bob")],
      [2, "scontrol show reservation -o"],
    ],
    jobs: [job("A", 4)],
  });
  expect(answers[0]!.tables.reservations).toEqual([
    { name: "r", startMs: 70_000, endMs: 190_000, nodes: [0, 1], flags: [] },
  ]);
});
