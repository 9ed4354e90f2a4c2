/** A world from a scenario document that has to be right. */
import type { World } from "../../src/model/world.ts";
import { readScenario } from "../../src/scenario/read.ts";
import { expand } from "../../src/workload/expand.ts";

export function documentWorld(document: unknown): World {
  const read = readScenario(document);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const world = expand(read.value);
  if (!world.ok) throw new Error(JSON.stringify(world.error));
  return world.value;
}
