/** The YAML of a policy as a form: values come out of the text, and putting one in leaves all else as it is. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { YAML_PRESETS } from "../../../../src/scenario/kubernetes/familyPresets.ts";
import {
  withInput,
  withItem,
  withoutItem,
} from "../../../../src/scenario/kubernetes/form/editForm.ts";
import { withValue } from "../../../../src/scenario/kubernetes/form/editText.ts";
import type {
  FieldForm,
  FormInput,
  Path,
  ScalarValue,
} from "../../../../src/scenario/kubernetes/form/formSpec.ts";
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

  test("taken away, an item goes of which only the name would remain, and so does the only row", () => {
    const item =
      "      - name: DefaultPreemption\n        args: # few\n          minCandidateNodesAbsolute: 5\n";
    const text = (rest: string) =>
      `kind: KubeSchedulerConfiguration\nprofiles:\n  - pluginConfig:\n${item}${rest}`;
    const other = "      - name: Other\n        args: {}\n";
    const path: Path = ["profiles", 0, "pluginConfig", { named: "DefaultPreemption" }, "args"];
    const least: Path = [...path, "minCandidateNodesAbsolute"];
    const left = (rest: string) => withValue(text(rest), 0, least, null)!;
    expect(left(other)).toBe(text(other).replace(item, ""));
    expect(left("")).toBe("kind: KubeSchedulerConfiguration\n");
    // One row of several stays, for the others are known by their number.
    expect(parseAllDocuments(left("  - schedulerName: b\n"))[0]!.toJS().profiles).toEqual([
      {},
      { schedulerName: "b" },
    ]);
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

const sampleOf = ({ kind, options }: FieldForm, draw: number): FormInput => {
  if (options) return options[draw % options.length]!;
  if (kind === "boolean") return draw % 2 === 0;
  if (kind === "list") return [`one-${draw}`, "two"];
  if (kind === "labels") return { [`a.io/${draw}`]: "b", c: "" };
  return kind === "text" ? `word-${draw}` : draw;
};

/** As the form shows it. */
const shown = (input: FormInput): string => {
  if (Array.isArray(input)) return input.join(", ");
  return input !== null && typeof input === "object"
    ? Object.entries(input)
        .map(([name, value]) => `${name}=${value}`)
        .join(", ")
    : String(input);
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
        const sample = sampleOf(field, draw);
        const done = withInput(text, document, path, sample);
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
        expect(after.get(key)).toBe(shown(sample));
        before.delete(key);
        after.delete(key);
        expect(after).toEqual(before);
        const comments = (from: string) => from.match(/#.*/g) ?? [];
        expect(comments(done!)).toEqual(comments(text));
        if (value.text === "")
          expect(
            parseAllDocuments(withInput(done!, document, path, field.staysEmpty ? {} : null)!).map(
              (each) => each.toJS(),
            ),
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
});

const LISTS = `# All.
spec:
  levels: # widest first
    - nodeLabel: zone # one
    # below it
    - nodeLabel: rack # two
    - nodeLabel: host # three
  names: [a, b, c] # flow
  labels:
    x: "1" # first
    y: two # second
  empty: {}
`;

describe("lists and maps", () => {
  const LEVELS: Path = ["spec", "levels"];
  const js = (text: string | null) => parseAllDocuments(text!)[0]!.toJS().spec;

  test("an item more stands at the end, at the list's own indent; a list that is not there is begun", () => {
    const value = { nodeLabel: "rank" };
    expect(withItem(LISTS, 0, { path: LEVELS, value, atFront: false })).toBe(
      LISTS.replace("# three\n", "# three\n    - nodeLabel: rank\n"),
    );
    expect(withItem(LISTS, 0, { path: ["spec", "fresh"], value, atFront: true })).toBe(
      `${LISTS}  fresh:\n  - nodeLabel: rank\n`,
    );
    expect(
      js(withItem(LISTS, 0, { path: ["spec", "names"], value, atFront: false })).names[3],
    ).toEqual(value);
  });

  test("an item more stands first where that is its place", () => {
    const value = { nodeLabel: "zone-2" };
    expect(withItem(LISTS, 0, { path: LEVELS, value, atFront: true })).toBe(
      LISTS.replace("widest first\n", "widest first\n    - nodeLabel: zone-2\n"),
    );
    expect(js(withItem(LISTS, 0, { path: ["spec", "names"], value, atFront: true })).names).toEqual(
      [value, "a", "b", "c"],
    );
  });

  test("an item less takes its lines alone; the last one takes the list along", () => {
    expect(withoutItem(LISTS, 0, [...LEVELS, 0])).toBe(
      LISTS.replace("    - nodeLabel: zone # one\n", ""),
    );
    expect(withoutItem(LISTS, 0, [...LEVELS, 2])).toBe(
      LISTS.replace("    - nodeLabel: host # three\n", ""),
    );
    let text: string | null = LISTS;
    for (let at = 2; at >= 0; at--) text = withoutItem(text!, 0, [...LEVELS, at]);
    expect(js(text)).toEqual({ ...js(LISTS), levels: undefined });
  });

  test("of a list of words only those are touched that differ", () => {
    const put = (words: readonly string[]) => withInput(LISTS, 0, ["spec", "names"], words);
    expect(put(["a", "c"])).toBe(LISTS.replace("[a, b, c]", "[a, c]"));
    expect(put(["b", "c"])).toBe(LISTS.replace("[a, b, c]", "[b, c]"));
    expect(put(["a", "x", "c", "d"])).toBe(LISTS.replace("[a, b, c]", "[a, x, c, d]"));
    expect(put(["z"])).toBe(LISTS.replace("[a, b, c]", "[z]"));
    expect(js(put([]))).toEqual({ ...js(LISTS), names: undefined });
  });

  test("of a map only those entries are touched that differ; emptied it is an empty map", () => {
    const put = (entries: Record<string, string>) =>
      withInput(LISTS, 0, ["spec", "labels"], entries);
    expect(put({ x: "1", y: "three" })).toBe(LISTS.replace("y: two", "y: three"));
    expect(put({ y: "two", z: "4" })).toBe(
      LISTS.replace('    x: "1" # first\n', "").replace("# second\n", '# second\n    z: "4"\n'),
    );
    expect(js(put({}))).toEqual({ ...js(LISTS), labels: {} });
    expect(withInput(LISTS, 0, ["spec", "empty"], { a: "b" })).toBe(
      LISTS.replace("empty: {}", "empty: { a: b }"),
    );
  });

  test("every list of the form takes one more, which can be taken away again", () => {
    const lists = TEXTS.flatMap((text) =>
      readForm(text)!.flatMap(({ document, lists: all }) =>
        all.map((list) => ({ text, document, list })),
      ),
    );
    expect(lists.length).toBeGreaterThan(8);
    for (const { text, document, list } of lists) {
      const items = (from: string) =>
        readForm(from)![document]!.parts.flatMap(({ item }) =>
          JSON.stringify(item?.slice(0, -1)) === JSON.stringify(list.path) ? [item!] : [],
        );
      const more = withItem(text, document, list)!;
      expect(items(more)).toHaveLength(items(text).length + 1);
      const [before, after] = [readKubernetes(text, "yaml"), readKubernetes(more, "yaml")];
      if (before.ok) expect(after.ok ? [] : after.error).toEqual([]);
      const back = withoutItem(more, document, items(more).at(list.atFront ? 0 : -1)!)!;
      expect(parseAllDocuments(back).map((each) => each.toJS())).toEqual(
        parseAllDocuments(text).map((each) => each.toJS()),
      );
    }
  });
});
