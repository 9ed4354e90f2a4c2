/** The rules as they are edited: parts of the document that go back in unchanged, are refused at their place, and lose nothing. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { withFirst } from "../../src/panels/rules/entries.ts";
import {
  changedTables,
  checkedRules,
  elsewhereWords,
  pointerOf,
  rulesLabel,
  rulesOf,
  tableOfProblem,
  withRules,
} from "../../src/panels/rules/rulesDraft.ts";
import { mayPreempt, withPreempt } from "../../src/panels/rules/TierMatrices.tsx";
import { entrySchema, TABLES } from "../../src/panels/rules/tables.ts";
import { LIBRARY, libraryScenario } from "../../src/scenario/library/index.ts";
import type { Scenario } from "../../src/scenario/schema.ts";
import { isPart } from "../../src/ui/fields/fieldSpec.ts";
import { leafOf } from "../../src/ui/fields/leaf.ts";
import { withValue } from "../../src/ui/fields/paths.ts";

const scenario = libraryScenario("lab-services")!;
const table = (id: string) => TABLES.find((each) => each.id === id)!;
const edit = (rules: JsonObject, path: readonly (string | number)[], value: never | unknown) =>
  withValue(rules, path, value as never) as JsonObject;

describe("the rules of a scenario", () => {
  test.each(LIBRARY.map((entry) => entry.id))("%s: taken out and put back it is the same", (id) => {
    const own = libraryScenario(id)!;
    const result = checkedRules(own, rulesOf(own));
    expect(result.ok && result.value).toEqual(own);
  });

  test("every field of every table is one of the schema", () => {
    for (const each of TABLES) {
      const schema = entrySchema(each);
      for (const spec of each.fields) {
        if (!isPart(spec)) expect(leafOf(schema, spec.key).kind).toBeDefined();
        else for (const inner of spec.fields) leafOf(schema, `${spec.key}.${inner.key}`);
      }
    }
  });

  test("ranges and options come from the schema", () => {
    expect(leafOf(entrySchema(table("teams")), "shares")).toMatchObject({
      kind: "integer",
      least: 0,
    });
    expect(leafOf(entrySchema(table("limits")), "per").options).toEqual(["user", "team", "tier"]);
    expect(leafOf(entrySchema(table("services")), "target.percentile").options).toEqual([95, 99]);
    expect(leafOf(entrySchema(table("windows")), "everyMs")).toMatchObject({
      kind: "duration",
      optional: true,
      least: 1,
    });
  });

  test.each(TABLES.filter((each) => each.first).map((each) => each.id))(
    "%s: the row that an empty table begins with can be run",
    (id) => {
      const rules = withFirst(rulesOf(scenario), table(id), scenario);
      const result = checkedRules(scenario, rules);
      expect(result.ok ? [] : result.error).toEqual([]);
      expect(changedTables(rulesOf(scenario), rules).map((each) => each.id)).toEqual(
        id === "fleet" ? [] : [id],
      );
    },
  );

  test("a table that cannot have an entry says why", () => {
    const one = libraryScenario("why-waiting")!;
    expect(table("fleet").first!(one)).toEqual({ reason: expect.stringContaining("two pools") });
    expect(withFirst(rulesOf(one), table("fleet"), one)).toEqual(rulesOf(one));
  });
});

describe("what is wrong", () => {
  const quota = libraryScenario("lab-quota")!;
  const rules = rulesOf(quota);

  test("is told at the field, and what was typed stays", () => {
    const wrong = edit(rules, ["teams", 0, "lendGpus"], 99);
    const result = checkedRules(quota, wrong);
    const [problem] = result.ok ? [] : result.error;
    expect(problem?.place).toBe(`${pointerOf(table("teams"), 0)}/lendGpus`);
    expect(tableOfProblem(problem!)?.id).toBe("teams");
    const text = edit(rules, ["teams", 0, "quotaGpus"], "many");
    expect((withRules(quota, text).teams as readonly JsonObject[])[0]!.quotaGpus).toBe("many");
    expect(checkedRules(quota, text).ok).toBe(false);
  });

  test("a change at a time that needs a team keeps it: the document says so", () => {
    const without = edit(rules, ["teams"], []);
    const result = checkedRules(quota, without);
    expect(result.ok).toBe(false);
  });

  test("changes of the run stay, whatever the rules", () => {
    const changed: Scenario = {
      ...quota,
      interventions: [{ kind: "drain", atMs: 1_000, nodes: ["h100-000"] }],
    };
    const result = checkedRules(changed, edit(rules, ["teams", 0, "shares"], 3));
    expect(result.ok && result.value.interventions).toEqual(changed.interventions);
    expect(result.ok && result.value.teams[0]?.shares).toBe(3);
  });

  test("one step for Undo names the tables", () => {
    const next = edit(edit(rules, ["teams", 0, "shares"], 3), ["horizonMs"], 86_400_000);
    expect(rulesLabel(changedTables(rules, next))).toBe("Rules: teams and quotas, the run");
  });
});

describe("who may preempt whom", () => {
  const tiers = rulesOf(scenario).tiers as readonly JsonObject[];

  test("without a list a tier may preempt all below it", () => {
    expect(mayPreempt(tiers, 0)).toEqual(["high", "normal", "low"]);
    expect(mayPreempt(tiers, 3)).toEqual([]);
  });

  test("taking a mark away writes the list; setting it again takes the list away", () => {
    const less = withPreempt(tiers, 0, "low", false) as JsonObject;
    expect(less.mayPreempt).toEqual(["high", "normal"]);
    const back = withPreempt([less, ...tiers.slice(1)], 0, "low", true) as JsonObject;
    expect(back.mayPreempt).toBeUndefined();
  });
});

test("a team that jobs are of is not deleted from under them: the first of them is named", () => {
  const own = checkedRules(
    { ...scenario, interventions: [] },
    edit(rulesOf(scenario), ["teams"], [{ id: "x" }, { id: "y" }]),
  );
  if (!own.ok) throw new Error(JSON.stringify(own.error));
  const jobs = [{ id: "mine", submitMs: 0, gpus: 1, workMs: 1_000, team: "x" }];
  const used = { ...own.value, workload: { ...own.value.workload, jobs } } as unknown as Scenario;
  const result = checkedRules(used, edit(rulesOf(used), ["teams"], [{ id: "y" }]));
  expect(result.ok).toBe(false);
  const problems = result.ok ? [] : result.error;
  expect(problems.map((problem) => elsewhereWords(problem, used))).toContain("Job mine");
  const at = (place: string) => elsewhereWords({ place, message: "", remedy: "" }, used);
  expect(at("/interventions/2/tier")).toBe("Change 3");
  expect(at("/pools/0")).toBe("/pools/0");
});

describe("what a table says of a scenario in which it has no effect, or less", () => {
  const under = (preset: string) =>
    ({
      pools: [{ id: "all", policy: { preset, settings: {} } }],
      interventions: [],
      disruptionBudgets: [],
      cluster: { nodeGroups: [{ id: "cloud", burst: {} }] },
    }) as unknown as Scenario;
  const note = (id: string, preset: string) => table(id).note?.(under(preset)) ?? null;

  test("disruption budgets are of the policy lab; Kubernetes has its own in YAML", () => {
    expect(note("disruptionBudgets", "lab")).toBeNull();
    expect(note("disruptionBudgets", "kube-scheduler")).toContain("PodDisruptionBudget");
    expect(note("disruptionBudgets", "slurm")).toContain("policy lab alone");
  });

  test("which of the times of rented nodes hold, and where nobody rents any", () => {
    expect(note("nodeGroups", "lab")).toBeNull();
    expect(note("nodeGroups", "kueue")).toContain("Cluster Autoscaler");
    expect(note("nodeGroups", "ray")).toContain("Ray’s autoscaler");
    expect(note("nodeGroups", "volcano")).toContain("never come");
    const own = { ...under("volcano"), cluster: { nodeGroups: [{ id: "own" }] } };
    expect(table("nodeGroups").note?.(own as unknown as Scenario)).toBeNull();
  });
});
