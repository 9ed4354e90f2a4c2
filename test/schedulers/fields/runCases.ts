/** The run as a whole. */
import { WAIT_REASONS } from "../../../src/model/reasons.ts";
import type { FieldCase } from "./fieldCase.ts";
import { gauge, type Ran, runs, storyOf } from "./ran.ts";
import { doc, job, machine, pools, SEC } from "./words.ts";

const ONE = machine(1, 1);
const drawn = doc(ONE, [], { seed: 1, horizonMs: 100 * SEC });
const firstSubmit = ({ world }: Ran) => world.jobs.at.submitMs[0];
const reasonsOf = (name: string) => (run: Ran) =>
  storyOf(run, name)
    .decisions.map(({ reason }) => WAIT_REASONS[reason]!)
    .some((reason) => reason.startsWith("slurm:"));

export const RUN_CASES: readonly FieldCase[] = [
  {
    // The first submission (ms), drawn.
    at: "/seed",
    base: {
      ...drawn,
      workload: {
        synthetic: [
          {
            id: "c",
            arrivals: { perHour: 3_600 },
            gpus: [{ value: 1, weight: 1 }],
            work: { medianMs: SEC, leastMs: SEC, mostMs: SEC },
          },
        ],
      },
    },
    see: firstSubmit,
    gives: 20,
    to: [[2, 415]],
  },
  {
    at: "/horizonMs",
    base: doc(ONE, [job("A", 0, 10, { gpus: 1 })], { horizonMs: 20 * SEC }),
    see: runs("A"),
    gives: { A: "0-10" },
    to: [[4 * SEC, { A: "0-" }]],
  },
  {
    at: "/killAtLimit",
    base: doc(ONE, [job("A", 0, 10, { gpus: 1, limitMs: 4 * SEC })], { killAtLimit: true }),
    see: runs("A"),
    gives: { A: "0-4 timeLimit" },
    to: [[false, { A: "0-10" }]],
  },
  {
    at: "/queues",
    base: doc(ONE, [job("A", 0, 4, { gpus: 1, queue: "q" })], { queues: ["q"] }),
    see: runs("A"),
    gives: { A: "0-4" },
    to: [[["r"], "refused at /workload/jobs/0/queue"]],
  },
  {
    // The peak is at noon.
    at: "/calendarStart",
    base: doc(ONE, [], {
      calendarStart: "2026-01-05T00:00:00",
      horizonMs: 20 * SEC,
      services: [
        {
          id: "s",
          maxReplicas: 1,
          requestMs: SEC,
          demand: { shape: "square", perSec: 1, highPerSec: 4, peakMs: 12 * 3_600 * SEC },
        },
      ],
    }),
    see: gauge("demand"),
    gives: [[0, 1]],
    to: [["2026-01-05T11:00:00", [[0, 4]]]],
  },
  {
    at: "/pools/0/policy/preset",
    base: doc(
      ONE,
      ["A", "B"].map((id) => job(id, 0, 4, { gpus: 1 })),
      { pools: [{ id: "all", policy: { preset: "lab" } }] },
    ),
    see: reasonsOf("B"),
    gives: false,
    to: [["slurm", true]],
  },
  {
    at: "/pools/0/policy/settings",
    base: doc(
      ONE,
      [job("X", 0, 4, { gpus: 1 }), job("A", 1, 4, { gpus: 1 }), job("B", 1, 2, { gpus: 1 })],
      { pools: pools({}) },
    ),
    see: runs("A", "B"),
    gives: { A: "4-8", B: "8-10" },
    to: [[{ order: "shortest" }, { A: "6-10", B: "4-6" }]],
  },
];
