import { describe, expect, test } from "vitest";
import { quantityOf } from "../../../src/scenario/kubernetes/quantity.ts";
import { readKubernetes } from "../../../src/scenario/kubernetes/readKubernetes.ts";

const CLASS = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: high
value: 1000
`;

function problemsOf(text: string): string[] {
  const read = readKubernetes(text, "yaml");
  return read.ok ? [] : read.error.map(({ place, message }) => `${place} ${message}`);
}

describe("the YAML of a policy", () => {
  test("documents become objects, in order; empty ones and comments are nothing", () => {
    const read = readKubernetes(
      `# nothing\n---\n${CLASS}---\n---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: keep, namespace: team-a}\nspec:\n  minAvailable: 50%\n  selector:\n    matchLabels: {kind: inference}\n`,
      "yaml",
    );
    expect(read.ok && read.value.objects).toEqual([
      {
        kind: "PriorityClass",
        name: "high",
        namespace: "",
        value: 1000,
        preemptionPolicy: "PreemptLowerPriority",
        globalDefault: false,
      },
      {
        kind: "PodDisruptionBudget",
        name: "keep",
        namespace: "team-a",
        minAvailable: { amount: 50, percent: true },
        maxUnavailable: null,
        matchLabels: { kind: "inference" },
      },
    ]);
  });

  test.each([
    ["no pod without a selector", "", null],
    ["every pod with an empty one", "  selector: {}\n", {}],
  ])("a budget selects %s", (_, selector, matchLabels) => {
    const read = readKubernetes(
      `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b}\nspec:\n  maxUnavailable: 1\n${selector}`,
      "yaml",
    );
    expect(read.ok && read.value.objects).toMatchObject([{ name: "b", matchLabels }]);
  });

  test("a fault has the line of the field, and of the nearest part that is there where a field is missing", () => {
    expect(
      problemsOf(`${CLASS}---\n${CLASS.replace("high", "low").replace("1000", "many")}`),
    ).toEqual(["yaml:11, value This must be a number."]);
    expect(problemsOf(CLASS.replace("value: 1000\n", ""))).toEqual([
      "yaml:1, value This field is missing.",
    ]);
    expect(problemsOf(CLASS.replace("value", "vallue"))[0]).toMatch(/^yaml:\d/);
  });

  test("an unknown field has the line on which it stands, and the field that it may be meant as", () => {
    const read = readKubernetes(
      `apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata:
  name: team-a
spec:
  cohortName: all
  queueingStrategi: StrictFIFO
  resourceGroups:
    - coveredResources: [nvidia.com/gpu]
      flavors:
        - name: h100
          resources:
            - name: nvidia.com/gpu
              nominalQuota: 16
              nominalQouta: 32
  zzz: 1
`,
      "yaml",
    );
    expect(read.ok ? [] : read.error).toEqual([
      {
        place: "yaml:15, spec.resourceGroups.0.flavors.0.resources.0.nominalQouta",
        message: 'ClusterQueue has no field "nominalQouta" here.',
        remedy: "Did you mean nominalQuota?",
      },
      {
        place: "yaml:7, spec.queueingStrategi",
        message: 'ClusterQueue has no field "queueingStrategi" here.',
        remedy: "Did you mean queueingStrategy?",
      },
      {
        place: "yaml:16, spec.zzz",
        message: 'ClusterQueue has no field "zzz" here.',
        remedy: "Remove it, or check its spelling against the reference of ClusterQueue.",
      },
    ]);
  });

  test("a misspelt field that has to be there is told first, and then as missing", () => {
    const queue = `apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: a}
spec:
  resourceGroups:
    - coveredResources: [cpu]
      flavors:
        - name: f
          resources:
            - name: cpu
              nominalQouta: 32
`;
    const [typo, missing] = problemsOf(queue);
    expect(typo).toMatch(/^yaml:11, .*has no field "nominalQouta"/);
    expect(missing).toMatch(/nominalQuota This field is missing\./);
  });

  test.each(["-4", "lots", "9e99", ".nan", "null", "[1]"])(
    "a quota of %s is no amount",
    (given) => {
      const queue = `apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: a}
spec:
  resourceGroups:
    - coveredResources: [cpu]
      flavors: [{name: f, resources: [{name: cpu, nominalQuota: ${given}}]}]
`;
      expect(problemsOf(queue)[0]).toMatch(
        /^yaml:7, .*nominalQuota This is no amount of 0 or more/,
      );
    },
  );

  test("a text that is no YAML, a kind or group that is not read, and twins are told", () => {
    expect(problemsOf("a: [1")[0]).toMatch(/^yaml:1 This is no YAML/);
    expect(problemsOf("- 1")[0]).toContain("Each document must be one object.");
    expect(problemsOf(CLASS.replace("PriorityClass", "Pod"))[0]).toContain(
      'yaml:2, kind The kind "Pod"',
    );
    expect(problemsOf(CLASS.replace("scheduling.k8s.io", "x.io"))[0]).toContain(
      "yaml:1, apiVersion",
    );
    expect(problemsOf(`${CLASS}---\n${CLASS}`)).toEqual([
      'yaml:7 PriorityClass "high" is there twice.',
    ]);
  });

  test("a short text cannot unfold into a long one, nor nest without end", () => {
    const laughs = Array.from(
      { length: 9 },
      (_, at) => `l${at}: &l${at} [${`*l${at - 1},`.repeat(9)}]`,
    );
    expect(problemsOf(["l: &l-1 x", ...laughs].join("\n")).length).toBeGreaterThan(0);
    const stairs = Array.from({ length: 1_000 }, (_, at) => `${" ".repeat(at)}a:`).join("\n");
    const brackets = ["[".repeat(200_000), "- ".repeat(200_000), "{a: ".repeat(100_000)];
    for (const deep of [...brackets, stairs])
      expect(problemsOf(deep)).toEqual(["yaml:1 The text is nested too deeply."]);
  });

  test("a KubeSchedulerConfiguration is read by its first profile", () => {
    const read = readKubernetes(
      `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: { qps: 100, burst: 200 }
podMaxBackoffSeconds: 30
profiles:
  - schedulerName: default-scheduler
    percentageOfNodesToScore: 30
    plugins: { postFilter: { disabled: [{ name: DefaultPreemption }] } }
    pluginConfig:
      - name: NodeResourcesFit
        args: { scoringStrategy: { type: MostAllocated, resources: [{ name: nvidia.com/gpu, weight: 5 }] } }
`,
      "yaml",
    );
    expect(read.ok && read.value.objects[0]).toMatchObject({
      qps: 100,
      burst: 200,
      podMaxBackoffMs: 30_000,
      percentageOfNodesToScore: 30,
      noPreemption: true,
      scoring: {
        type: "MostAllocated",
        resources: [{ name: "nvidia.com/gpu", weight: 5 }],
        shape: [],
      },
    });
  });
});

test("quantities as Kubernetes writes them", () => {
  expect(["500m", "1.5", "64Gi", "2e3", "1Ki", "3k", 4].map(quantityOf)).toEqual([
    0.5,
    1.5,
    64 * 2 ** 30,
    2_000,
    1_024,
    3_000,
    4,
  ]);
  expect(["", "1x", "Gi", "1 2"].map(quantityOf)).toEqual([null, null, null, null]);
});

test("an alias whose anchor is missing is placed at its own line", () => {
  const read = readKubernetes(
    "apiVersion: v1\nkind: PriorityClass\nmetadata:\n  name: &n top\n  other: *n\nvalue: *missing\n",
    "yaml",
  );
  expect(read.ok ? [] : read.error.map(({ place }) => place)).toEqual(["yaml:6"]);
});
