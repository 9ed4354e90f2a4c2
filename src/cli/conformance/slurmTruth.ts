/**
 * `slurm-truth/1`: what a real Slurm decided in one scenario that was run twice. The reader sets up the scenario from the recorded lines,
 * runs it on the preset `slurm`, and holds the run to the recording (`slurmTruthChecks.ts`).
 */
import type { CaseOutcome, TruthFile } from "./outcome.ts";
import { checkOutcome, type Difference, differenceLine } from "./slurmTruthChecks.ts";
import { readRecording } from "./slurmTruthFile.ts";
import { timelineLines } from "./slurmTruthLines.ts";
import { runRecording } from "./slurmTruthRun.ts";
import { scenarioOf } from "./slurmTruthScenario.ts";
import { checkPrinted } from "./slurmTruthSqueue.ts";
import { checkSnapshots } from "./slurmTruthTables.ts";
import { withRefused } from "./slurmTruthUnknown.ts";

/** Differences named on the line of a case; `--verbose` shows all. */
const NAMED = 3;

/** One case a file. Throws where a recording is not understood. */
export function* slurmTruth(file: TruthFile): Iterable<CaseOutcome> {
  const truth = readRecording(file.content);
  const id = truth.scenario;
  const { scenario, questions, refused } = scenarioOf(truth);
  const ours = withRefused(runRecording(scenario, questions), refused);
  const differences: Difference[] = [
    ...checkOutcome(truth, ours),
    ...checkPrinted(truth, ours),
    ...checkSnapshots(truth, ours),
  ].sort((a, b) => a.atSec - b.atSec);
  const details = () => [...timelineLines(truth, ours), ...differences.map(differenceLine)];
  if (differences.length === 0) yield { kind: "pass", id, details };
  else {
    const named = differences.slice(0, NAMED).map(differenceLine).join(" · ");
    const more = differences.length > NAMED ? ` (and ${differences.length - NAMED} more)` : "";
    yield { kind: "fail", id, message: `${named}${more}`, details };
  }
}
