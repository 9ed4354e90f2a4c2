/**
 * Every field of the document has an effect: for each there is a pair of runs that differ in this cell only, and in the very result that the field is about. The
 * schema itself says which fields there are, so a field that is added fails here until it has a case; of a choice, each option stands on one side of a pair.
 */
import { describe, expect, test } from "vitest";
import { scenarioJsonSchema } from "../../src/scenario/jsonSchema.ts";
import { LIFE_KEYS } from "../../src/scenario/labSchema.ts";
import * as components from "./fields/componentCases.ts";
import * as drawn from "./fields/drawnCases.ts";
import { type FieldCase, fieldOf, resultsOf } from "./fields/fieldCase.ts";
import * as fleet from "./fields/fleetCases.ts";
import * as ground from "./fields/groundCases.ts";
import * as jobs from "./fields/jobCases.ts";
import * as life from "./fields/lifeCases.ts";
import * as network from "./fields/networkCases.ts";
import { valueAt } from "./fields/pointer.ts";
import * as rules from "./fields/ruleCases.ts";
import * as run from "./fields/runCases.ts";
import { fieldsOf, optionsOf, type SchemaField, type SchemaNode } from "./fields/schemaFields.ts";
import * as services from "./fields/serviceCases.ts";
import * as tenancy from "./fields/tenancyCases.ts";

const THEMES = [
  run,
  drawn,
  tenancy,
  rules,
  life,
  jobs,
  components,
  network,
  ground,
  services,
  fleet,
];
const CASES: readonly FieldCase[] = THEMES.flatMap((theme) => Object.values(theme).flat());

/** Words for people; what is read from a trace, changed at a time, Slurm's own, or the Kubernetes family's: with tests elsewhere. */
const ELSEWHERE =
  /^(version|title|question|calendarUtcOffsetMin|interventions|trace\..*|.*\bslurm\..*|.*\bkubernetes\..*|.*\bray\..*|pools\.policy\.yaml)$/;
/** What a class of drawn jobs says of their life: `labDrawnFields.test.ts`. */
const isDrawnLife = (path: string): boolean =>
  LIFE_KEYS.some((key) => path === `synthetic.${key}` || path.startsWith(`synthetic.${key}.`));

function fieldsToProve(schema: SchemaNode): SchemaField[] {
  return fieldsOf(schema).filter(({ path }) => !ELSEWHERE.test(path) && !isDrawnLife(path));
}

/** Fields of a schema that no case is about, and options that stand on no side of one. */
function unproved(schema: SchemaNode): string[] {
  const proved = new Map<string, Set<unknown>>();
  for (const each of CASES) {
    const values = proved.get(fieldOf(each)) ?? new Set();
    for (const value of [valueAt(each.base, each.at), ...each.to.map(([to]) => to)])
      values.add(value);
    proved.set(fieldOf(each), values);
  }
  return fieldsToProve(schema).flatMap(({ path, node }) => {
    const values = proved.get(path);
    if (values === undefined) return [path];
    const known = node.default === undefined ? values : new Set([...values, node.default]);
    return optionsOf(node)
      .filter((option) => !known.has(option))
      .map((option) => `${path} = ${String(option)}`);
  });
}

const schema: SchemaNode = JSON.parse(scenarioJsonSchema());

describe("the fields of a document", () => {
  test("have each a case here, and each of their options", () => {
    expect(unproved(schema)).toEqual([]);
  });

  test("all cases are about a field that there is", () => {
    const paths = new Set(fieldsToProve(schema).map((field) => field.path));
    expect(CASES.map(fieldOf).filter((path) => !paths.has(path))).toEqual([]);
  });

  test("a field or an option that nobody proves is found", () => {
    const { items, ...tiers } = schema.properties!["tiers"]!;
    const { of, ...failures } = schema.properties!["failures"]!.items!.properties!;
    const planted: SchemaNode = {
      ...schema,
      properties: {
        ...schema.properties,
        tiers: {
          ...tiers,
          items: {
            ...items!,
            properties: {
              ...items!.properties,
              planted: { type: "object", properties: { leaf: { type: "number" } } },
            },
          },
        },
        failures: {
          ...schema.properties!["failures"]!,
          items: { properties: { ...failures, of: { ...of!, enum: [...of!.enum!, "rack"] } } },
        },
      },
    };
    expect(unproved(planted).sort()).toEqual(["failures.of = rack", "tiers.planted.leaf"]);
  });
});

describe("a cell of the document", () => {
  test.each(CASES.map((each) => [fieldOf(each), each] as const))(
    "%s decides something",
    (_, each) => {
      const others = each.to.map(([, gives]) => gives);
      expect(others).not.toEqual(others.map(() => each.gives));
      expect(resultsOf(each)).toEqual([each.gives, ...others]);
    },
  );
});
