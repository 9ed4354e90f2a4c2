/**
 * Writes logs in the Standard Workload Format 2.2 (Feitelson et al.), from a seed, with a known number of each kind of odd row,
 * so that tests of importing need no downloaded trace.
 */
import { gzipSync } from "node:zlib";

export interface SwfPlan {
  readonly jobs: number;
  readonly procs: number;
  readonly seed: number;
  /** Rows with an unknown run time, and rows without processors: no run can use them. */
  readonly runUnknown?: number;
  readonly noProcessors?: number;
  /** A text for the header's `Computer:` line. */
  readonly computer?: string;
}

/** A small linear congruential generator: the same log on every machine. */
function dice(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
}

export function swfText(plan: SwfPlan): string {
  const roll = dice(plan.seed);
  const lines = [
    "; Version: 2.2",
    `; Computer: ${plan.computer ?? "Test machine"}`,
    "; UnixStartTime: 893455200",
    "; TimeZoneString: UTC",
    `; MaxProcs: ${plan.procs}`,
    `; MaxNodes: ${plan.procs}`,
  ];
  let submitSec = 0;
  const unknown = plan.runUnknown ?? 0;
  const none = plan.noProcessors ?? 0;
  for (let row = 1; row <= plan.jobs + unknown + none; row++) {
    submitSec += roll(120);
    const procs = 1 + roll(Math.max(1, plan.procs >> 1));
    const runSec = 60 + roll(3_600);
    const limitSec = runSec + roll(3_600);
    const odd = row <= plan.jobs ? "" : row <= plan.jobs + unknown ? "run" : "procs";
    const run = odd === "run" ? -1 : runSec;
    const size = odd === "procs" ? -1 : procs;
    const fields = [row, submitSec, -1, run, size, -1, -1, size, limitSec, -1, 1, 1 + roll(9)];
    lines.push([...fields, 1, -1, 1, -1, -1, -1].join(" "));
  }
  return `${lines.join("\n")}\n`;
}

export function swfGzip(plan: SwfPlan): Buffer {
  return gzipSync(swfText(plan));
}
