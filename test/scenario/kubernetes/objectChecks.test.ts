import { describe, expect, test } from "vitest";
import { readKubernetes } from "../../../src/scenario/kubernetes/readKubernetes.ts";

function problemsOf(...objects: readonly string[]): string[] {
  const read = readKubernetes(objects.join("---\n"), "yaml");
  return read.ok ? [] : read.error.map(({ place, message }) => `${place} ${message}`);
}

function remediesOf(text: string): string[] {
  const read = readKubernetes(text, "yaml");
  return read.ok ? [] : read.error.map(({ remedy }) => remedy);
}

const kueue = (kind: string, name: string, spec: string) =>
  `apiVersion: kueue.x-k8s.io/v1beta2\nkind: ${kind}\nmetadata: {name: ${name}}\nspec:\n${spec}`;
const queue = (groups: readonly string[]) =>
  kueue("ClusterQueue", "q", `  resourceGroups:\n${groups.join("")}`);
const group = (covered: string, flavor: string, resources: readonly string[]) =>
  `  - coveredResources: [${covered}]
    flavors:
    - name: ${flavor}
      resources:
${resources.map((name) => `      - {name: ${name}, nominalQuota: 1}\n`).join("")}`;
const budget = (spec: string) =>
  `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b}\nspec:\n${spec}`;
const priority = (name: string) =>
  `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: ${name}}\nvalue: 1\nglobalDefault: true\n`;

describe("what Kueue's webhook refuses", () => {
  test("each covered resource has a quota in each flavor, in the order in which they are covered", () => {
    expect(problemsOf(queue([group("cpu, memory", "f", ["cpu", "memory"])]))).toEqual([]);
    expect(problemsOf(queue([group("cpu, memory", "f", ["cpu"])]))).toEqual([
      'yaml:9, spec.resourceGroups.0.flavors.0.resources Flavor "f" has no quota of "memory", which its group covers.',
    ]);
    expect(problemsOf(queue([group("cpu", "f", ["cpu", "memory"])]))).toEqual([
      'yaml:11, spec.resourceGroups.0.flavors.0.resources.1.name Flavor "f" has a quota of "memory", which its group does not cover.',
    ]);
    for (const given of [
      ["memory", "cpu"],
      ["cpu", "memory", "cpu"],
    ])
      expect(problemsOf(queue([group("cpu, memory", "f", given)]))[0]).toContain(
        'The quotas of flavor "f" do not follow coveredResources.',
      );
  });

  test("a resource and a flavor belong to one group, once", () => {
    expect(problemsOf(queue([group("cpu", "f", ["cpu"]), group("cpu", "g", ["cpu"])]))).toEqual([
      'yaml:11, spec.resourceGroups.1.coveredResources.0 "cpu" is covered twice.',
    ]);
    expect(
      problemsOf(queue([group("cpu", "f", ["cpu"]), group("memory", "f", ["memory"])])),
    ).toEqual(['yaml:13, spec.resourceGroups.1.flavors.0.name Flavor "f" is there twice.']);
  });

  test("levels of a topology differ, and the host is the lowest", () => {
    const levels = (...labels: readonly string[]) =>
      problemsOf(
        kueue(
          "Topology",
          "t",
          `  levels:\n${labels.map((of) => `  - nodeLabel: ${of}\n`).join("")}`,
        ),
      );
    expect(levels("block", "rack", "kubernetes.io/hostname")).toEqual([]);
    expect(levels("rack", "rack")).toEqual([
      'yaml:7, spec.levels.1.nodeLabel The level "rack" is there twice.',
    ]);
    expect(levels("kubernetes.io/hostname", "rack")).toEqual([
      'yaml:6, spec.levels.0.nodeLabel "kubernetes.io/hostname" can only be the lowest level.',
    ]);
  });
});

describe("limits of quotas that Kueue's webhooks refuse", () => {
  const limited = (kind: string, above: string, limits: string) => {
    const groups = `  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - name: f
      resources:
      - {name: cpu, nominalQuota: 4, ${limits}}
`;
    const text = kueue(kind, "q", `${above}${groups}`);
    const read = readKubernetes(text, "yaml");
    return read.ok ? [] : read.error.map(({ place, message, remedy }) => [place, message, remedy]);
  };

  test("limits without anybody to borrow from or lend to, with their line", () => {
    expect(limited("ClusterQueue", "", "borrowingLimit: 2")).toEqual([
      [
        "yaml:10, spec.resourceGroups.0.flavors.0.resources.0.borrowingLimit",
        'ClusterQueue "q" is in no cohort, so borrowingLimit of "cpu" means nothing.',
        "Remove it, or give spec.cohortName.",
      ],
    ]);
    expect(limited("Cohort", "", "lendingLimit: 2")[0]!.slice(1)).toEqual([
      'Cohort "q" has no parent, so lendingLimit of "cpu" means nothing.',
      "Remove it, or give spec.parentName.",
    ]);
    const both = "borrowingLimit: 0, lendingLimit: 4";
    expect(limited("ClusterQueue", "  cohortName: all\n", both)).toEqual([]);
    expect(limited("Cohort", "  parentName: all\n", both)).toEqual([]);
  });

  test("a queue that lends more than it owns; a cohort may, for its children lend as well", () => {
    expect(limited("ClusterQueue", "  cohortName: all\n", "lendingLimit: 5")[0]!.slice(1)).toEqual([
      'ClusterQueue "q" lends more of "cpu" than it owns.',
      "Use at most nominalQuota.",
    ]);
    expect(limited("Cohort", "  parentName: all\n", "lendingLimit: 5")).toEqual([]);
  });
});

test("rules of a queue that Kueue's webhook refuses together", () => {
  const borrow = "borrowWithinCohort: {policy: LowerPriority}";
  const rules = (spec: string) => problemsOf(kueue("ClusterQueue", "q", `  ${spec}\n`));
  expect(rules(`preemption: {${borrow}}`)).toEqual([
    'yaml:5, spec.preemption.borrowWithinCohort ClusterQueue "q" may borrow by preemption, but reclaim nothing.',
  ]);
  expect(rules(`preemption: {reclaimWithinCohort: Any, ${borrow}}`)).toEqual([]);
  const preference = "preference: PreemptionOverBorrowing";
  expect(rules(`flavorFungibility: {${preference}}`)).toEqual([
    'yaml:5, spec.flavorFungibility.preference ClusterQueue "q" has a preference among flavors, but may stop at the first.',
  ]);
  expect(
    rules(
      `flavorFungibility: {whenCanBorrow: TryNextFlavor, whenCanPreempt: TryNextFlavor, ${preference}}`,
    ),
  ).toEqual([]);
});

test("what Kueue takes and leaves pending passes: a flavor, topology, ClusterQueue or cohort that is nowhere", () => {
  expect(
    problemsOf(
      queue([group("cpu", "nowhere", ["cpu"])]),
      kueue("LocalQueue", "l", "  clusterQueue: nowhere\n"),
      kueue("ResourceFlavor", "f", "  topologyName: nowhere\n"),
      kueue("Cohort", "c", "  parentName: nowhere\n"),
    ),
  ).toEqual([]);
});

test("parents in a circle are told once; what hangs on a circle is no part of it", () => {
  const cohort = (name: string, parent: string) =>
    kueue("Cohort", name, `  parentName: ${parent}\n`);
  expect(problemsOf(cohort("c", "a"), cohort("a", "b"), cohort("b", "a"))).toEqual([
    "yaml:11, spec.parentName The parents form a circle: a → b → a.",
  ]);
  expect(problemsOf(cohort("a", "a"))).toEqual([
    "yaml:5, spec.parentName The parents form a circle: a → a.",
  ]);
  expect(problemsOf(cohort("c", "b"), cohort("d", "b"), cohort("b", "root"))).toEqual([]);
});

describe("what the API server refuses", () => {
  test("a budget says one thing, of at most 100 %", () => {
    expect(problemsOf(budget("  minAvailable: 100%\n"))).toEqual([]);
    expect(problemsOf(budget("  minAvailable: 1\n  maxUnavailable: 1\n"))).toEqual([
      "yaml:6, spec.maxUnavailable minAvailable and maxUnavailable cannot both be given.",
    ]);
    expect(problemsOf(budget("  maxUnavailable: 101%\n"))).toEqual([
      "yaml:5, spec.maxUnavailable This is more than 100 %.",
    ]);
    expect(problemsOf(budget("  maxUnavailable: 101\n"))).toEqual([]);
  });

  test("one class of priority is the default", () => {
    expect(problemsOf(priority("a"))).toEqual([]);
    expect(problemsOf(priority("a"), priority("b"))).toEqual([
      'yaml:11, globalDefault PriorityClass "a" is the default already.',
    ]);
  });

  test("a version that there is not, with the one that there is", () => {
    const old = priority("a").replace("/v1", "/v1beta9");
    expect(problemsOf(old)).toEqual([
      'yaml:1, apiVersion The version "v1beta9" of PriorityClass is not read.',
    ]);
    expect(remediesOf(old)).toEqual(["Use scheduling.k8s.io/v1."]);
    const topology = (version: string) =>
      kueue("Topology", "t", "  levels: [{nodeLabel: rack}]\n").replace("v1beta2", version);
    expect(["v1beta1", "v1alpha1"].flatMap((version) => problemsOf(topology(version)))).toEqual([]);
    expect(problemsOf(queue([]).replace("v1beta2", "v1alpha1"))[0]).toContain("is not read");
  });

  test("a kind that is not read: the nearest, else those of its API group, else none", () => {
    const of = (apiVersion: string, kind: string) =>
      remediesOf(`apiVersion: ${apiVersion}\nkind: ${kind}\n`)[0];
    expect(of("kueue.x-k8s.io/v1beta2", "ClusterQeue")).toBe(
      "Remove the document, or use ClusterQueue.",
    );
    expect(of("topology.volcano.sh/v1alpha1", "Numatopology")).toBe(
      "Remove the document, or use HyperNode.",
    );
    // What `kubectl get -o yaml` prints of several objects.
    expect(of("v1", "List")).toBe(
      "Give each of its items as a document of its own, with a line --- between them.",
    );
    expect(of("apps/v1", "Deployment")).toBe(
      "Remove the document: no preset of this family needs it.",
    );
  });
});
