/** The form against the readers: what is read of a YAML text has a field or a reason why it has none. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { YAML_PRESETS } from "../../../../src/scenario/kubernetes/familyPresets.ts";
import type { Path } from "../../../../src/scenario/kubernetes/form/formSpec.ts";
import { formOf, KIND_FORMS } from "../../../../src/scenario/kubernetes/form/kindForms.ts";
import { newObjects } from "../../../../src/scenario/kubernetes/form/newObjects.ts";
import { textOnlyOf } from "../../../../src/scenario/kubernetes/form/textOnly.ts";
import { ignored } from "../../../../src/scenario/kubernetes/kinds/kindReader.ts";
import { KINDS } from "../../../../src/scenario/kubernetes/kinds/kinds.ts";
import { readKubernetes } from "../../../../src/scenario/kubernetes/readKubernetes.ts";

/** What the walk below needs of a schema. */
interface Schema {
  readonly _zod: {
    readonly def: {
      readonly type: string;
      readonly shape?: Readonly<Record<string, Schema>>;
      readonly innerType?: Schema;
      readonly element?: Schema;
    };
  };
}

/** Where values stand, as `spec.levels[].nodeLabel`; lists of scalars and maps of free names are values. */
function fieldsOf(schema: Schema, path: string): string[] {
  if ((schema as unknown) === ignored) return [];
  const { type, shape, innerType, element } = schema._zod.def;
  if (shape)
    return Object.entries(shape).flatMap(([key, inner]) =>
      fieldsOf(inner, path === "" ? key : `${path}.${key}`),
    );
  if (element) {
    const below = fieldsOf(element, `${path}[]`);
    return below.length === 1 && below[0] === `${path}[]` ? [path] : below;
  }
  if (innerType && type !== "record") return fieldsOf(innerType, path);
  return [path];
}

const worded = (path: Path): string =>
  path
    .map((step) => (typeof step === "string" && step !== "*" ? `.${step}` : "[]"))
    .join("")
    .slice(1);

/** Nothing reads labels of an object itself; most kinds have no namespace. */
const HEAD = ["apiVersion", "kind", "metadata.labels", "metadata.namespace"];

describe("every field that is read", () => {
  test.each(KINDS.map((reader) => [`${reader.group} ${reader.kind}`, reader] as const))(
    "of %s has a field, or a reason why it has none; and no other has",
    (_, reader) => {
      const form = formOf(reader.kind, reader.group === "" ? "v1" : `${reader.group}/v1`)!;
      const offered = [
        ...form.fields.map(({ path }) => worded(path)),
        ...(form.rows ?? []).flatMap(({ path, fields }) =>
          fields.map((field) => worded([...path, ...field.path])),
        ),
      ];
      const told = textOnlyOf(reader).map(({ path }) => path);
      const read = fieldsOf(reader.schema as unknown as Schema, "");
      const known = new Set([...offered, ...told]);
      expect(read.filter((path) => !known.has(path) && !HEAD.includes(path))).toEqual([]);
      const isRead = (path: string) =>
        read.some((one) => one === path || path.startsWith(`${one}.`));
      expect([...offered, ...told].filter((path) => !isRead(path))).toEqual([]);
    },
  );

  test("a namespace that a kind has can be typed", () => {
    for (const reader of KINDS) {
      const form = formOf(reader.kind, `${reader.group}/v1`) ?? formOf(reader.kind, "v1")!;
      const hasField = form.fields.some(({ path }) => worded(path) === "metadata.namespace");
      const [yaml] = [...YAML_PRESETS]
        .flatMap((preset) => newObjects(preset))
        .filter((one) => one.kind === reader.kind && one.yaml.includes(reader.group))
        .map((one) => one.yaml.replace("metadata:\n", "metadata:\n  namespace: team\n"));
      const got = readKubernetes(yaml!, "yaml");
      const [object] = got.ok ? got.value.objects : [];
      expect([reader.kind, object!.namespace === "team"]).toEqual([reader.kind, hasField]);
    }
  });
});

/** Kinds that a preset's files ask for, of those that are a scheduler's: what is above and below them reads for all presets. */
function kindsAskedFor(entry: string): Set<string> {
  const asked = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file) || !/^src\/(?:worker|scheduler|scheduling)/.test(file)) return;
    seen.add(file);
    const text = readFileSync(file, "utf8");
    for (const [, kind] of text.matchAll(/objectsOf\([^,()]+,\s*"(\w+)"/g)) asked.add(kind!);
    for (const [, target] of text.matchAll(/^(?:import|export|\}) .*from "(\.[^"]+)"/gm))
      visit(join(dirname(file), target!));
  };
  visit(entry);
  return asked;
}

const ENTRIES: Readonly<Record<string, string>> = {
  "kube-scheduler": "src/worker/kubeSchedulerPreset.ts",
  kueue: "src/worker/kueuePreset.ts",
  volcano: "src/worker/volcanoPreset.ts",
  kai: "src/worker/kaiPreset.ts",
  ray: "src/worker/rayPreset.ts",
};

describe("every kind that a preset reads", () => {
  test.each([...YAML_PRESETS])("of %s can be begun in its form", (preset) => {
    const asked = kindsAskedFor(ENTRIES[preset]!);
    expect(asked.size).toBeGreaterThan(0);
    const begun = newObjects(preset).map(({ yaml }) => {
      const read = readKubernetes(yaml, "yaml");
      return read.ok ? read.value.objects[0]!.kind : "";
    });
    expect([...asked].filter((kind) => !begun.includes(kind as (typeof begun)[number]))).toEqual(
      [],
    );
  });

  test("all readers and forms are reached so", () => {
    const begun = [...YAML_PRESETS].flatMap((preset) => newObjects(preset));
    const has = ({ kind, group }: { kind: string; group: string }) =>
      begun.some((one) => one.kind === kind && one.yaml.includes(`apiVersion: ${group}`));
    expect(KINDS.filter((reader) => !has(reader))).toEqual([]);
    expect(KIND_FORMS.filter((form) => !has(form))).toEqual([]);
  });
});
