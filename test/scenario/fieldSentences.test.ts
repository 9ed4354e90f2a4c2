/** What the published schema says of each field: a sentence, a range, a default or what its absence means, and a unit. Fields of Slurm's own have their manual. */
import { describe, expect, test } from "vitest";
import { FIELD_SENTENCES } from "../../src/scenario/fieldSentences.ts";
import { scenarioJsonSchema } from "../../src/scenario/jsonSchema.ts";
import { fieldsOf, type SchemaField, type SchemaNode } from "../schedulers/fields/schemaFields.ts";

const FIELDS = fieldsOf(JSON.parse(scenarioJsonSchema())).filter(
  ({ path }) => !/\bslurm\./.test(path),
);
const pathsWhere = (test: (field: SchemaField) => boolean) =>
  FIELDS.filter(test).map(({ path }) => path);
const said = ({ node }: SchemaField): string => node.description ?? "";

/** The numbers that a field may be: itself, its alternatives, what its list holds. */
function numbersIn(node: SchemaNode): SchemaNode[] {
  if (node.type === "number" || node.type === "integer") return [node];
  return [
    ...(node.anyOf ?? []),
    ...(node.prefixItems ?? []),
    ...(node.items ? [node.items] : []),
  ].flatMap(numbersIn);
}

function isBounded({ node }: SchemaField): boolean {
  const most = (number: SchemaNode) =>
    number.maximum ?? number.exclusiveMaximum ?? number.const ?? number.enum;
  const least = (number: SchemaNode) =>
    number.minimum ?? number.exclusiveMinimum ?? number.const ?? number.enum;
  if (!numbersIn(node).every((number) => most(number) !== undefined && least(number) !== undefined))
    return false;
  if (node.type !== "string") return true;
  return (node.maxLength ?? node.enum ?? node.pattern) !== undefined;
}

const UNIT_OF_NAME =
  /(Ms|Gpus|GiB|GBps|Micros|PerSec|perSec|Hours|Hour|gpus|nodes|jobs|members|cpus|stages)$/;
const UNIT_IN_WORDS =
  /\(ms\)|÷|\b(GPUs?|CPUs?|NUMA domains|nodes?|jobs?|members?|replicas?|requests?|users?|copies|cards|switches|samples|credits|bytes|percent|part|tasks|times|speed|ratio|number|version|hour)\b/i;

describe("the published schema", () => {
  test("has one sentence for each field", () => {
    const isOne = (text: string) => /^[A-Z0-9].*[^.]\.$/.test(text) && !/\. [A-Z]/.test(text);
    expect(pathsWhere((field) => !isOne(said(field)))).toEqual([]);
  });

  test("has no sentence about a field that is not there", () => {
    const known = new Set(FIELDS.map(({ path }) => path));
    expect([...FIELD_SENTENCES.keys()].filter((path) => !known.has(path))).toEqual([]);
  });

  test("gives each number a least and a most, and each text a longest", () => {
    expect(pathsWhere((field) => !isBounded(field))).toEqual([]);
  });

  test("says what holds where a field is left out", () => {
    const isSilent = (field: SchemaField) =>
      !field.required && field.node.default === undefined && !said(field).includes("absent: ");
    expect(pathsWhere(isSilent)).toEqual([]);
  });

  test("says in what a number is counted", () => {
    const isBare = ({ path, node }: SchemaField) =>
      numbersIn(node).length > 0 &&
      !UNIT_OF_NAME.test(path) &&
      !UNIT_IN_WORDS.test(node.description ?? "");
    expect(pathsWhere(isBare)).toEqual([]);
  });
});
