/**
 * The built-in scenarios, in the order in which the library shows them; the first one opens on a first visit. The documents
 * are small (the large workloads are drawn), so they are part of the code. A released document is never edited, because links
 * start from it: a better one gets a new id.
 */
import { assert } from "../../base/assert.ts";
import { readScenario } from "../read.ts";
import type { Scenario } from "../schema.ts";
import type { LibraryEntry } from "./entry.ts";
import { fifoBackfill } from "./fifoBackfill.ts";
import { fragmentation } from "./fragmentation.ts";
import { kaiReclaim } from "./kaiReclaim.ts";
import { kueueBinPacking } from "./kueueBinPacking.ts";
import { labElastic } from "./labElastic.ts";
import { labNetwork } from "./labNetwork.ts";
import { labPreemption } from "./labPreemption.ts";
import { labQuota } from "./labQuota.ts";
import { labServices } from "./labServices.ts";
import { mixedFleetShared, mixedFleetStatic } from "./mixedFleet.ts";
import { month128 } from "./month128.ts";
import { rayScaling } from "./rayScaling.ts";
import { rayTwoTenants } from "./rayTwoTenants.ts";
import { slurmTwoTeams } from "./slurmTwoTeams.ts";
import { tiers } from "./tiers.ts";
import { topology } from "./topology.ts";
import { volcanoStarved } from "./volcanoStarved.ts";
import { whyWaiting } from "./whyWaiting.ts";

export const LIBRARY: readonly LibraryEntry[] = [
  whyWaiting,
  fifoBackfill,
  tiers,
  fragmentation,
  topology,
  slurmTwoTeams,
  month128,
  labPreemption,
  labQuota,
  labElastic,
  labServices,
  labNetwork,
  volcanoStarved,
  kaiReclaim,
  kueueBinPacking,
  rayTwoTenants,
  rayScaling,
  mixedFleetStatic,
  mixedFleetShared,
];

/** The entry of a built-in scenario as written; undefined for an unknown id. */
export function libraryEntry(id: string): LibraryEntry | undefined {
  return LIBRARY.find((entry) => entry.id === id);
}

const read = new Map<string, Scenario>();

/** A library scenario with its defaults filled in; undefined for an unknown id. Read once each. Also the `FindBase` of the codec. */
export function libraryScenario(id: string): Scenario | undefined {
  const known = read.get(id);
  if (known !== undefined) return known;
  const entry = libraryEntry(id);
  if (entry === undefined) return undefined;
  const scenario = readScenario(entry.document);
  assert(
    scenario.ok,
    `the library scenario ${id} is valid: ${scenario.ok ? "" : JSON.stringify(scenario.error)}`,
  );
  read.set(id, scenario.value);
  return scenario.value;
}
