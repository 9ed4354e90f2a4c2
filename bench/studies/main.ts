/** `npm run bench studies -- [--study=NAME] [--traces=FOLDER]`: computes studies and writes the tables of their pages. */
import { addPresets } from "../../src/cli/presets.ts";
import { checkpoints } from "./checkpoints.ts";
import { fragmentation } from "./fragmentation.ts";
import { halfLives } from "./halfLives.ts";
import { latency } from "./latency.ts";
import { network } from "./network.ts";
import { preemption } from "./preemption.ts";
import { publishedPolicies } from "./publishedPolicies.ts";
import { queueing } from "./queueing.ts";
import { runStudy, type Study } from "./study.ts";

const STUDIES: readonly Study[] = [
  checkpoints,
  fragmentation,
  halfLives,
  latency,
  network,
  preemption,
  publishedPolicies,
  queueing,
];

const option = (name: string): string | undefined =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);

addPresets();
const wanted = option("study");
const chosen = STUDIES.filter((study) => wanted === undefined || study.name === wanted);
if (chosen.length === 0) {
  process.stderr.write(
    `there is no such study; there are: ${STUDIES.map(({ name }) => name).join(", ")}\n`,
  );
  process.exitCode = 2;
}
const say = (line: string): void => void process.stderr.write(`${line}\n`);
for (const study of chosen)
  await runStudy(study, process.cwd(), option("traces") ?? "../shared/traces", say);
