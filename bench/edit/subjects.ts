/** The documents that are edited: a hundred thousand jobs under the lab and under Slurm, and a document of six megabytes. */

import { libraryScenario } from "../../src/scenario/library/index.ts";
import { readScenario } from "../../src/scenario/read.ts";
import type { Scenario } from "../../src/scenario/schema.ts";

const DAY_MS = 86_400_000;

export interface Subject {
  readonly name: string;
  readonly scenario: Scenario;
  /** Where it is edited, and what is in view then. */
  readonly editMs: number;
  readonly viewMs: number;
  readonly node: string;
}

export function subjects(): Subject[] {
  const month = libraryScenario("month-128");
  if (!month) throw new Error("month-128 is in the library");
  const horizonMs = 165 * DAY_MS;
  const drawn = { viewMs: DAY_MS, editMs: horizonMs / 2 };
  return [
    {
      name: "lab, 100,000 drawn jobs on 128 × 8 GPUs",
      scenario: { ...month, horizonMs },
      node: "h100-064",
      ...drawn,
    },
    {
      name: "slurm, 100,000 spelled-out jobs of 256 processors",
      ...spelledOut(100_000, "slurm", 256),
    },
    { name: "lab, a document of 38,000 jobs", ...spelledOut(38_000, "lab", 256) },
  ];
}

/** Jobs one by one in the document, at a load of about 0.85. */
function spelledOut(
  count: number,
  preset: "lab" | "slurm",
  devices: number,
): Omit<Subject, "name"> {
  const size = (i: number) => [1, 2, 4, 8, 8, 16, 32][(i * 5) % 7]!;
  const work = (i: number) => 600_000 + ((i * 7_919) % 97) * 120_000;
  let sum = 0;
  const jobs = Array.from({ length: count }, (_, i) => {
    const submitMs = Math.round(sum / (devices * 0.85));
    sum += size(i) * work(i);
    return {
      id: `job-${i}`,
      submitMs,
      gpus: size(i),
      workMs: work(i),
      limitMs: work(i) + 900_000,
      user: `user-${i % 40}`,
    };
  });
  const conf = [
    "SelectType=select/cons_tres",
    "SelectTypeParameters=CR_Core",
    "PriorityType=priority/multifactor",
    "PriorityWeightFairshare=10000",
    "PriorityWeightAge=1000",
  ];
  const read = readScenario({
    version: 1,
    title: `${count} jobs`,
    cluster: { nodeGroups: [{ id: "n", count: devices / 8, gpus: 8 }] },
    pools: [
      {
        id: "all",
        policy:
          preset === "slurm"
            ? { preset, slurm: { conf: conf.join("\n") } }
            : { settings: { backfill: "easy" } },
      },
    ],
    workload: { jobs },
  });
  if (!read.ok) throw new Error(`${read.error[0]?.place}: ${read.error[0]?.message}`);
  const editMs = Math.round(sum / (devices * 0.85) / 2);
  return { scenario: read.value, editMs, viewMs: 12 * 3_600_000, node: "n-001" };
}
