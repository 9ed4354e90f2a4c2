/** What a changed YAML is called: by object and field. */
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { type PlainNode, readPlainYaml } from "../../src/panels/inspector/policy/plainYaml.ts";
import { settingChanges } from "../../src/panels/inspector/policy/settingWords.ts";
import { yamlChanges } from "../../src/panels/inspector/policy/yamlChanges.ts";
import { LIBRARY, libraryScenario } from "../../src/scenario/library/index.ts";

const queue = (name: string, quota: number, flavor = "h100") => `apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata:
  name: ${name}
spec:
  cohortName: all # one for both
  resourceGroups:
    - coveredResources: [nvidia.com/gpu]
      flavors:
        - name: ${flavor}
          resources:
            - name: nvidia.com/gpu
              nominalQuota: ${quota}
  preemption:
    reclaimWithinCohort: Any
`;
const TEXT = `${queue("team-a", 16)}---\n${queue("team-b", 16)}`;
const words = (was: string, now: string) =>
  yamlChanges(was, now).map(({ label, from, to }) => `${label}: ${from} → ${to}`);

describe("a changed YAML is told by object and field", () => {
  test.each([
    [
      "a quota",
      `${queue("team-a", 32)}---\n${queue("team-b", 16)}`,
      ["ClusterQueue team-a · nominalQuota nvidia.com/gpu of h100: 16 → 32"],
    ],
    [
      "a field of a group",
      TEXT.replace("Any", "Never"),
      ["ClusterQueue team-a · preemption.reclaimWithinCohort: Any → Never"],
    ],
    [
      "a list",
      TEXT.replace("[nvidia.com/gpu]", "[nvidia.com/gpu, cpu]"),
      ["ClusterQueue team-a · coveredResources: [nvidia.com/gpu] → [nvidia.com/gpu, cpu]"],
    ],
    [
      "a field more",
      TEXT.replace("16", "16\n              borrowingLimit: 8"),
      ["ClusterQueue team-a · borrowingLimit nvidia.com/gpu of h100: not set → 8"],
    ],
    ["an object less", queue("team-a", 16), ["ClusterQueue team-b: there → removed"]],
    [
      "another name",
      TEXT.replace("team-b", "team-c"),
      ["ClusterQueue team-b: there → removed", "ClusterQueue team-c: none → added"],
    ],
    [
      "several",
      TEXT.replaceAll("16", "8"),
      [
        "ClusterQueue team-a · nominalQuota nvidia.com/gpu of h100: 16 → 8",
        "ClusterQueue team-b · nominalQuota nvidia.com/gpu of h100: 16 → 8",
      ],
    ],
    ["a comment", TEXT.replace("one for both", "one"), []],
    ["the order of objects", `${queue("team-b", 16)}---\n${queue("team-a", 16)}`, []],
    [
      "a form that only the real parser reads",
      TEXT.replace("cohortName: all", "cohortName: &all all"),
      [],
    ],
  ])("%s", (_, now, told) => expect(words(TEXT, now)).toEqual(told));

  test("the list of changes says the same, and lines where no field is told", () => {
    const policy = (yaml: string) => ({ preset: "kueue", settings: {}, yaml });
    const changes = (now: string) => settingChanges(policy(TEXT), policy(now));
    expect(changes(TEXT.replace("16", "32"))).toEqual([
      { label: "ClusterQueue team-a · nominalQuota nvidia.com/gpu of h100", from: "16", to: "32" },
    ]);
    expect(changes(TEXT.replace("one for both", "one"))[0]?.label).toBe("YAML, line 6");
  });
});

/** As the plain reader has it: every scalar its text. */
function plain(value: unknown): PlainNode {
  if (Array.isArray(value)) return value.map(plain);
  if (value !== null && typeof value === "object")
    return new Map(Object.entries(value).map(([key, one]) => [key, plain(one)]));
  return value === null ? "" : String(value);
}

const TEXTS = LIBRARY.flatMap(({ id, suggest }) => {
  const policies = [
    ...libraryScenario(id)!.pools.map(({ policy }) => policy),
    ...(suggest?.intervention.kind === "policy" ? [suggest.intervention.policy] : []),
  ];
  return policies.flatMap(({ yaml }, idx) => (yaml ? [[`${id} ${idx}`, yaml] as const] : []));
});

test("the library has texts to compare", () => expect(TEXTS.length).toBeGreaterThan(5));

test.each(TEXTS)("the plain reader reads the YAML of %s as the real parser does", (_, text) => {
  const real = parseAllDocuments(text, { schema: "failsafe" }) as { toJS(): unknown }[];
  const objects = real.map((one) => one.toJS()).filter((one) => one !== null && one !== "");
  expect(readPlainYaml(text)).toEqual(objects.map(plain));
});

test.each([
  "a: |\n  text\n",
  "a: *b\n",
  "a: [1\n",
  "\ta: 1\n",
  "- a\n",
  'a: "b\n',
  "a: 1\na: 2\n",
  "a: 1\n  b: 2\n",
])("%j is left to the real parser", (text) => expect(readPlainYaml(text)).toBeNull());
