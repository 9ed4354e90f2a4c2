/** What happened in the world of a row, in the words of its outcomes: judged by starts and stops alone, never by what a cell claims. */
import type { EndState } from "../../../src/model/states.ts";

export interface Ran {
  /** First start of a job, minutes; infinite where it never starts. */
  startMin(id: string): number;
  /** Start and end of each of its runs, minutes. */
  runsOf(id: string): readonly {
    readonly startMin: number;
    readonly endMin: number;
    readonly end: EndState;
  }[];
  /** Nodes that it holds devices of, one entry a stretch of devices. */
  nodesOf(id: string): readonly number[];
  /** GPUs that a job holds at a time. */
  heldBy(id: string, atMin: number): number;
}

export type Judge = (ran: Ran) => string;

const A_MOMENT_MIN = 1.5;

export const JUDGES: Readonly<Record<string, Judge>> = {
  gang: ({ startMin, heldBy }) => {
    const held = heldBy("gang", 20);
    const isSmallServed = startMin("small") < 10 + A_MOMENT_MIN;
    if (held === 0 && isSmallServed) return "whole";
    return held > 0 && held < 6 && !isSmallServed ? "part" : "neither";
  },
  preemption: ({ startMin, runsOf, heldBy }) => {
    const runs = runsOf("elastic");
    if (runs.length === 1 && startMin("urgent") >= runs[0]!.endMin) return "nothing";
    const held = heldBy("elastic", 15);
    if (startMin("urgent") > 10 + A_MOMENT_MIN) return "neither";
    return held === 6 ? "pods" : runs.length > 1 && held === 0 ? "job" : "neither";
  },
  priority: ({ startMin }) => {
    const [first] = ["blue-low", "blue-high", "red-low"].toSorted(
      (a, b) => startMin(a) - startMin(b),
    );
    return first === "blue-high" ? "flat" : first === "red-low" ? "inside" : "none";
  },
  "fair-share": ({ startMin }) => {
    const blue = Array.from({ length: 8 }, (_, index) => startMin(`blue-${index + 1}`));
    const before = (min: number) => blue.filter((start) => start < min).length;
    if (before(3) >= 4) return "reclaimed";
    if (before(19) > 0) return "neither";
    return before(22) >= 4 ? "shared" : before(39) === 0 ? "arrival" : "neither";
  },
  checkpoint: ({ startMin, runsOf }) => {
    const runs = runsOf("training");
    if (runs.length === 1) return startMin("urgent") >= runs[0]!.endMin ? "unstopped" : "neither";
    const left = runs[1]!.endMin - runs[1]!.startMin;
    // Half an hour of work is left, and a pause of 20 s after each 12 minutes.
    if (left < 33) return "saved";
    return left < 45 ? "last" : "lost";
  },
  backfill: ({ startMin, runsOf }) => {
    const large = startMin("large");
    const passes = startMin("short") < 8 + A_MOMENT_MIN;
    if (large > runsOf("long")[0]!.startMin) return passes ? "skip" : "neither";
    return large < 30 + A_MOMENT_MIN ? (passes ? "reserved" : "none") : "neither";
  },
  autoscaling: ({ startMin }) => (startMin("second") < 15 ? "rents" : "waits"),
};
