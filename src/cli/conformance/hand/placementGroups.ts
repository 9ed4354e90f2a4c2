/** Placement groups of Ray in words: `placement group 2 x {GPU 4}, STRICT_PACK`. A verdict of "never" is one of the empty cluster. */
import type { FieldCase } from "../fieldCaseFile.ts";
import { type HandRun, jobOf, labOf, runDocument, startsOf } from "./runDocument.ts";
import { countOf, jobsInWords, type Statement, side, textOf } from "./statement.ts";

const GROUP = /placement group (\d+) x \{GPU:? ?(\d+)\}.*?\b((?:STRICT_)?(?:PACK|SPREAD))/i;

export function placementGroups(one: FieldCase): Statement[] {
  const [, bundles = "", gpus = "", strategy = ""] = GROUP.exec(jobsInWords(one)) ?? [];
  if (strategy === "") return [];
  const expected = side(one, "expected");
  const run = (how: string) => runGroup(one, Number(bundles), Number(gpus), how.toUpperCase());
  const verdict = textOf(expected["verdict"]);
  const statements: Statement[] = [];
  if (/^(never|starts at \d+)/.test(verdict))
    statements.push(...says("verdict", verdict, run(strategy)));
  for (const [name, said] of Object.entries(expected)) {
    const other = /^with_((?:STRICT_)?(?:PACK|SPREAD))$/.exec(name)?.[1];
    if (other !== undefined) statements.push(...says(name, textOf(said), run(other)));
  }
  return statements;
}

function says(name: string, said: string, run: HandRun): Statement[] {
  const [came] = startsOf(run, "group");
  if (/^never/.test(said)) return [{ name, expected: "never", came: came ?? "never" }];
  const [, at, , nodes] = /^starts at (\d+)( on (\w+) nodes?)?/.exec(said) ?? [];
  if (at === undefined) return [];
  const start = { name, expected: Number(at), came: came ?? "never" };
  if (nodes === undefined) return [start];
  const used = run.nodesOf.get("group")?.size ?? 0;
  return [start, { name: `${name}: nodes`, expected: countOf(nodes), came: used }];
}

/** A group that must lie on one node is one member with all of it. */
function runGroup(one: FieldCase, bundles: number, gpus: number, strategy: string): HandRun {
  const { nodes = [] } = one.scenario.cluster;
  const together = strategy === "STRICT_PACK";
  const group = jobOf({
    id: "group",
    members: together ? 1 : bundles,
    gpus: together ? bundles * gpus : gpus,
    workMin: 1,
    ownNode: strategy === "STRICT_SPREAD",
  });
  return runDocument({
    cluster: { nodeGroups: nodes.map((node) => ({ id: node.id, count: 1, gpus: node.gpus })) },
    pools: labOf({ placement: strategy.endsWith("PACK") ? "pack" : "spread" }),
    workload: { jobs: [group] },
  });
}
