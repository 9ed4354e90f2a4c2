/** A small cluster with a day of mixed work: something to change, for those who start from nothing. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../model/units.ts";
import { readScenario } from "../scenario/read.ts";
import type { Scenario } from "../scenario/schema.ts";

export function newScenario(): Scenario {
  const read = readScenario({
    version: 1,
    title: "New scenario",
    cluster: {
      nodeGroups: [{ id: "h100", count: 8, gpus: 8, cpus: 128, memGiB: 1_024 }],
      fabric: { nodesPerLeaf: 4 },
    },
    workload: {
      synthetic: [
        {
          id: "mixed",
          tier: "normal",
          untilMs: DAY_MS,
          arrivals: { perHour: 6 },
          gpus: [
            { value: 1, weight: 5 },
            { value: 4, weight: 3 },
            { value: 8, weight: 2 },
            { value: 16, weight: 1 },
          ],
          work: { medianMs: HOUR_MS, leastMs: 5 * MINUTE_MS, mostMs: 12 * HOUR_MS },
        },
      ],
    },
  });
  if (!read.ok) throw new Error(`The new scenario is not valid: ${read.error[0]?.message ?? ""}`);
  return read.value;
}
