/** Gangs that arrive one after another on leaf switches of given sizes: all in one leaf, or in as few leaves as there may be. */
import type { FieldCase } from "../fieldCaseFile.ts";
import { runOnLeaves } from "./runOnLeaves.ts";
import { countOf, jobsInWords, numberIn, type Statement, side } from "./statement.ts";

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];

export function leafGroups(one: FieldCase): Statement[] {
  const sizes = one.scenario.cluster.leaf_sizes;
  const words = jobsInWords(one);
  const size = countOf(/\b(\w+)-node gangs?/.exec(words)?.[1] ?? "");
  const runtime = numberIn(words, /runtime (\d+)/);
  if (sizes === undefined || Number.isNaN(size) || runtime === undefined) return [];
  const hard = runOnLeaves(sizes, size, runtime, { within: "leaf" });
  const soft = runOnLeaves(sizes, size, runtime, { placement: "fewestLeaves" });
  const statements: Statement[] = [];
  for (const [name, said] of Object.entries(side(one, "expected"))) {
    const gang = ORDINALS.indexOf(/^(\w+?)_gang_start$/.exec(name)?.[1] ?? "");
    if (gang >= 0 && typeof said === "number")
      statements.push({ name, expected: said, came: hard.starts[gang] ?? "never" });
    if (name === "gangs_running_at_once" && typeof said === "number")
      statements.push({ name, expected: said, came: hard.atOnce });
    if (name === "soft_gangs_at_once" && typeof said === "number")
      statements.push({ name, expected: said, came: soft.atOnce });
    if (name === "soft_leaves_per_gang_greedy" && Array.isArray(said))
      statements.push({ name, expected: String(said), came: String(soft.leaves) });
  }
  return statements;
}
