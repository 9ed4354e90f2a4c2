/** A log in the Standard Workload Format of any length: small jobs on a machine that keeps up with them, the same on every run. */
export function syntheticLog(jobs: number, procs: number): string {
  let state = 20_260_101;
  const roll = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
  const lines = [
    "; Version: 2.2",
    "; Computer: synthetic",
    "; UnixStartTime: 893455200",
    "; TimeZoneString: UTC",
    `; MaxProcs: ${procs}`,
    `; MaxNodes: ${procs}`,
  ];
  let submitSec = 0;
  for (let row = 1; row <= jobs; row++) {
    submitSec += roll(40);
    const size = 1 + roll(3) * roll(8);
    const runSec = 30 + roll(60) * roll(60);
    const limitSec = runSec + roll(3_600);
    lines.push(
      `${row} ${submitSec} -1 ${runSec} ${size} -1 -1 ${size} ${limitSec} -1 1 1 1 1 -1 1 -1 -1`,
    );
  }
  return `${lines.join("\n")}\n`;
}
