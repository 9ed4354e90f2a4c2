/** The YAML of a policy as a form: values come out of the text, and putting one in leaves all else as it is. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { YAML_PRESETS } from "../../../../src/scenario/kubernetes/familyPresets.ts";
import { type ScalarValue, withValue } from "../../../../src/scenario/kubernetes/form/editText.ts";
import type { Path } from "../../../../src/scenario/kubernetes/form/formSpec.ts";
import { KIND_FORMS } from "../../../../src/scenario/kubernetes/form/kindForms.ts";
import {
  newObjects,
  withObject,
  withoutObject,
} from "../../../../src/scenario/kubernetes/form/newObjects.ts";
import { readForm } from "../../../../src/scenario/kubernetes/form/readForm.ts";
import { readKubernetes } from "../../../../src/scenario/kubernetes/readKubernetes.ts";
import { LIBRARY } from "../../../../src/scenario/library/index.ts";

const QUEUES = `# Two teams.
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata:
  name: red # the first
spec:
  resourceGroups:
    - coveredResources: [nvidia.com/gpu]
      flavors:
        - name: h100
          resources:
            - name: nvidia.com/gpu
              nominalQuota: 32 # half
  # Nobody takes from the other.
  preemption:
    reclaimWithinCohort: Never

---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: { name: red }
spec: { clusterQueue: red }
`;

const shownOf = (text: string, document: number, title: string, label: string): string => {
  const object = readForm(text)!.find((each) => each.document === document)!;
  const part = object.parts.find((each) => each.title === title)!;
  return part.values.find(({ field }) => field.label === label)!.text;
};

describe("reading", () => {
  test("objects in their order, with their names, lines and rows", () => {
    const objects = readForm(QUEUES)!;
    expect(objects.map(({ kind, name, line }) => [kind, name, line])).toEqual([
      ["ClusterQueue", "red", 2],
      ["LocalQueue", "red", 19],
    ]);
    expect(objects[0]!.parts.map(({ title }) => title)).toEqual(["", "h100 · nvidia.com/gpu"]);
    expect(shownOf(QUEUES, 0, "h100 · nvidia.com/gpu", "Nominal quota")).toBe("32");
    expect(shownOf(QUEUES, 0, "", "Cohort")).toBe("");
    expect(shownOf(QUEUES, 1, "", "ClusterQueue")).toBe("red");
  });

  test("a text that is no YAML has no form; a kind without one is there by its name", () => {
    expect(readForm("kind: [ClusterQueue")).toBeNull();
    expect(readForm(`a: ${"[".repeat(50_000)}`)).toBeNull();
    expect(readForm("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n")).toMatchObject([
      { kind: "Pod", name: "a", parts: [] },
    ]);
  });
});

describe("one value put into the text", () => {
  const at = (document: number, ...path: (string | number)[]) => ({ document, path });
  const put = (
    text: string,
    { document, path }: ReturnType<typeof at>,
    value: ScalarValue | null,
  ) => withValue(text, document, path, value)!;

  test("over one that is there: its comment stays", () => {
    const quota = at(0, "spec", "resourceGroups", 0, "flavors", 0, "resources", 0, "nominalQuota");
    expect(put(QUEUES, quota, 16)).toBe(QUEUES.replace("nominalQuota: 32", "nominalQuota: 16"));
    expect(put(QUEUES, at(0, "metadata", "name"), "blue")).toBe(
      QUEUES.replace("name: red #", "name: blue #"),
    );
  });

  test("where there is none: at the end of its map, with the maps that it needs", () => {
    expect(put(QUEUES, at(0, "spec", "preemption", "withinClusterQueue"), "LowerPriority")).toBe(
      QUEUES.replace(
        "reclaimWithinCohort: Never\n",
        "reclaimWithinCohort: Never\n    withinClusterQueue: LowerPriority\n",
      ),
    );
    expect(put(QUEUES, at(0, "spec", "fairSharing", "weight"), "500m")).toBe(
      QUEUES.replace(
        "reclaimWithinCohort: Never\n",
        "reclaimWithinCohort: Never\n  fairSharing:\n    weight: 500m\n",
      ),
    );
    const limit = at(0, "spec", "resourceGroups", 0, "flavors", 0, "resources", 0, "lendingLimit");
    expect(put(QUEUES, limit, 4)).toBe(
      QUEUES.replace("32 # half\n", "32 # half\n              lendingLimit: 4\n"),
    );
  });

  test("into braces", () => {
    expect(put(QUEUES, at(1, "metadata", "namespace"), "team-a")).toBe(
      QUEUES.replace("metadata: { name: red }", "metadata: { name: red, namespace: team-a }"),
    );
    expect(put(QUEUES, at(1, "spec", "fairSharing", "weight"), 2)).toBe(
      QUEUES.replace("clusterQueue: red }", "clusterQueue: red, fairSharing: { weight: 2 } }"),
    );
  });

  test("taken away, with what it leaves empty", () => {
    expect(put(QUEUES, at(0, "spec", "preemption", "reclaimWithinCohort"), null)).toBe(
      QUEUES.replace("  preemption:\n    reclaimWithinCohort: Never\n", ""),
    );
    expect(
      put(put(QUEUES, at(1, "metadata", "namespace"), "a"), at(1, "metadata", "namespace"), null),
    ).toBe(QUEUES);
  });

  test("words that YAML would take for something else are quoted", () => {
    for (const word of ["true", "12", "a: b", "# no", "null", "", "- x", "é"]) {
      const text = put(QUEUES, at(0, "spec", "cohortName"), word);
      expect(parseAllDocuments(text)[0]!.toJS()).toMatchObject({ spec: { cohortName: word } });
    }
  });

  test("an item of a list by its name is made where it is missing", () => {
    const text =
      "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n- pluginConfig:\n  - name: Other # stays\n    args: {}\n";
    const path: Path = [
      "profiles",
      0,
      "pluginConfig",
      { named: "NodeResourcesFit" },
      "args",
      "scoringStrategy",
      "type",
    ];
    const done = withValue(text, 0, path, "MostAllocated")!;
    expect(parseAllDocuments(done)[0]!.toJS()).toMatchObject({
      profiles: [
        {
          pluginConfig: [
            { name: "Other", args: {} },
            { name: "NodeResourcesFit", args: { scoringStrategy: { type: "MostAllocated" } } },
          ],
        },
      ],
    });
    expect(done).toContain("# stays");
    expect(readKubernetes(done, "yaml").ok).toBe(true);
  });

  test("a scalar where a map is needed: nothing is changed", () => {
    expect(withValue("kind: Queue\nspec: 5\n", 0, ["spec", "weight"], 1)).toBeNull();
    expect(withValue("kind: [", 0, ["spec"], 1)).toBeNull();
  });
});

/** Texts of all kinds of the form, in both styles: what is there to begin with, and the library. */
const TEXTS = [
  QUEUES,
  ...[...YAML_PRESETS].map((preset) =>
    newObjects(preset).reduce((text, object) => withObject(text, object, readForm(text) ?? []), ""),
  ),
  ...LIBRARY.flatMap(({ document }) =>
    (document.pools ?? []).flatMap(({ policy }) => (policy?.yaml ? [policy.yaml] : [])),
  ),
];

const sampleOf = (kind: string, options: readonly string[] | undefined, draw: number) => {
  if (options) return options[draw % options.length]!;
  if (kind === "boolean") return draw % 2 === 0;
  return kind === "text" ? `word-${draw}` : draw;
};

describe("every field of every object", () => {
  const fields = TEXTS.flatMap((text) =>
    readForm(text)!.flatMap(({ document, parts }) =>
      parts.flatMap(({ values }) => values.map((value) => ({ text, document, value }))),
    ),
  );

  test("there are many", () => {
    expect(fields.length).toBeGreaterThan(100);
  });

  test("put in and read back it is the value, and all others are what they were; put back, so is the text's meaning", () => {
    fc.assert(
      fc.property(fc.constantFrom(...fields), fc.nat(50), ({ text, document, value }, draw) => {
        const { field, path } = value;
        const sample = sampleOf(field.kind, field.options, draw);
        const done = withValue(text, document, path, sample);
        expect(done).not.toBeNull();
        const flat = (from: string) =>
          readForm(from)!.flatMap(({ document: index, parts }) =>
            parts.flatMap(({ values }) =>
              values.map((each) => [`${index} ${JSON.stringify(each.path)}`, each.text] as const),
            ),
          );
        const key = `${document} ${JSON.stringify(path)}`;
        const before = new Map<string, string>(flat(text));
        const after = new Map<string, string>(flat(done!));
        expect(after.get(key)).toBe(String(sample));
        before.delete(key);
        after.delete(key);
        expect(after).toEqual(before);
        const comments = (from: string) => from.match(/#.*/g) ?? [];
        expect(comments(done!)).toEqual(comments(text));
        if (value.text === "")
          expect(
            parseAllDocuments(withValue(done!, document, path, null)!).map((each) => each.toJS()),
          ).toEqual(parseAllDocuments(text).map((each) => each.toJS()));
      }),
      { endOnFailure: true, numRuns: 150 },
    );
  });
});

describe("objects to begin with", () => {
  test("every preset with a YAML text has some; together they are read without a fault", () => {
    for (const preset of YAML_PRESETS) {
      const objects = newObjects(preset);
      expect(objects.length).toBeGreaterThan(0);
      const text = objects.reduce(
        (before, object) => withObject(before, object, readForm(before) ?? []),
        "",
      );
      const read = readKubernetes(text, "yaml");
      expect(read.ok ? [] : read.error).toEqual([]);
      expect(readForm(text)!.map(({ kind }) => kind)).toEqual(objects.map(({ kind }) => kind));
    }
  });

  test("a second one of a kind has a name of its own; one taken out leaves the others", () => {
    const [first] = newObjects("kai");
    const one = withObject("", first!, []);
    const two = withObject(one, first!, readForm(one)!);
    expect(readForm(two)!.map(({ name }) => name)).toEqual(["queue", "queue-2"]);
    expect(withoutObject(two, 1)).toBe(one);
    expect(readForm(withoutObject(two, 0))!.map(({ name }) => name)).toEqual(["queue-2"]);
  });

  test("each kind of the form can be begun under some preset, or is one of few", () => {
    const begun = new Set(
      [...YAML_PRESETS].flatMap((preset) => newObjects(preset).map(({ kind }) => kind)),
    );
    expect(KIND_FORMS.map(({ kind }) => kind).filter((kind) => !begun.has(kind))).toEqual([
      "HyperNode",
    ]);
  });
});
