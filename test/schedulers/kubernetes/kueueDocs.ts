/**
 * Schedules drawn in `docs/policies/kueue.md`: a fenced block `kueue` with the cluster (`2x4`: nodes × GPUs; `m=2x4` a second group of nodes, labelled `group: m`; `leaves=2`) and settings, then, divided
 * by lines `-----`, Kueue's objects in short, the jobs (as in `groupDocs.ts`), and the drawing: one row a device, one column a second.
 *
 *     queue a 4 in=all reclaim=Any         ClusterQueue and LocalQueue `a`, nominal 4 GPUs, cohort `all`; `small:4,big:8` for two flavors; also: strict, within=, upto=7, borrow=, lend=, weight=, use, stop=
 *     cohort all 8 in=root weight=3        Cohort with 8 GPUs of its own
 *     flavor small nodes=m topology=tree   ResourceFlavor for nodes of group m, with the Topology `tree` (leaf, then node)
 *     local x a weight=2                   a LocalQueue more, `x`, that leads to `a`
 *     class high 100                       WorkloadPriorityClass
 *     at 3 queue a 4                       from 3 s on this line holds instead of the one of its kind and name
 *     at 3 label n-000 rack=a                node n-000 gets a label
 *
 * Without settings nothing takes time: quota only, no cycles, 2 s of grace. Each block becomes a document and is run as any other.
 */

import type { World } from "../../../src/model/world.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { draw, runWorld } from "../../support/draw.ts";
import { jobOf } from "../groupDocs.ts";

export interface DrawnKueue {
  readonly title: string;
  readonly words: readonly string[];
  readonly objects: readonly string[];
  readonly lines: readonly string[];
  readonly drawing: string;
}

export const PROMPT = {
  placement: "quotaOnly",
  admissionCycleMs: 0,
  roundTripMs: 0,
  graceMs: 2_000,
} as const;
const GPU = "nvidia.com/gpu";
const RACK = "cloud.provider.com/topology-rack";
const API = "kueue.x-k8s.io/v1beta2";

export function kueueIn(markdown: string): DrawnKueue[] {
  const blocks = markdown.matchAll(/([^\n]*)\n+```kueue([^\n]*)\n([\s\S]*?)\n```/g);
  return [...blocks].map(([, title, words, body]) => {
    const [objects = "", jobs = "", drawing = ""] = `\n${body}\n`.split(/\n-----\n/);
    const linesOf = (text: string) => text.split("\n").filter((line) => line.trim() !== "");
    return {
      title: title!.trim(),
      words: words!.trim().split(/\s+/),
      objects: linesOf(objects),
      lines: linesOf(jobs),
      drawing: drawing.replace(/^\n|\n$/g, ""),
    };
  });
}

type Options = ReadonlyMap<string, string>;

function optionsOf(words: readonly string[]): Options {
  return new Map(words.map((word) => word.split("=") as [string, string]));
}

const CHANGE = /^at (\d+) (.*)$/;

/** Lines that hold as the run begins; later ones replace those of their kind and name. */
function linesAt(lines: readonly string[], sec: number): string[] {
  const held = new Map<string, string>();
  for (const line of lines) {
    const [, at = "0", later] = CHANGE.exec(line) ?? [];
    const text = later ?? line;
    if (Number(at) > sec || text.startsWith("label ")) continue;
    held.set(text.split(" ").slice(0, 2).join(" "), text);
  }
  return [...held.values()];
}

function changesOf(lines: readonly string[], settings: object): object[] {
  const later = lines.flatMap((line) => {
    const [, at, text] = CHANGE.exec(line) ?? [];
    return at === undefined ? [] : [{ sec: Number(at), text: text! }];
  });
  const labels = later.filter(({ text }) => text.startsWith("label "));
  const times = new Set(later.filter((one) => !labels.includes(one)).map(({ sec }) => sec));
  return [
    ...labels.map(({ sec, text }) => {
      const [, node, pair] = text.split(" ");
      return {
        kind: "label",
        atMs: sec * 1_000,
        nodes: [node],
        labels: Object.fromEntries([pair!.split("=")]),
      };
    }),
    ...[...times].map((sec) => ({
      kind: "policy",
      atMs: sec * 1_000,
      policy: { preset: "kueue", settings, yaml: yamlOf(linesAt(lines, sec)) },
    })),
  ];
}

/** Kueue's objects as JSON, which is YAML. */
export function yamlOf(lines: readonly string[]): string {
  return lines
    .flatMap(objectsOf)
    .map((object) => JSON.stringify(object))
    .join("\n---\n");
}

function objectsOf(line: string): object[] {
  const [kind, name, ...rest] = line.trim().split(/\s+/);
  const options = optionsOf(rest);
  const of = (asKind: string, body: object) => ({
    apiVersion: API,
    kind: asKind,
    metadata: { name },
    ...body,
  });
  switch (kind) {
    case "queue":
      return [
        of("ClusterQueue", { spec: queueSpec(rest[0]!, options) }),
        of("LocalQueue", { spec: { clusterQueue: name } }),
      ];
    case "cohort":
      return [
        of("Cohort", {
          spec: {
            ...(options.has("in") ? { parentName: options.get("in") } : {}),
            ...(/^\d/.test(rest[0] ?? "") ? { resourceGroups: groups(rest[0]!, options) } : {}),
            ...(options.has("weight") ? { fairSharing: { weight: options.get("weight") } } : {}),
          },
        }),
      ];
    case "flavor": {
      const nodes = options.get("nodes");
      const topology = options.get("topology");
      return [
        of("ResourceFlavor", {
          spec: {
            ...(nodes === undefined ? {} : { nodeLabels: { group: nodes } }),
            ...(topology === undefined ? {} : { topologyName: topology }),
          },
        }),
        ...(topology === undefined
          ? []
          : [
              {
                ...of("Topology", {}),
                metadata: { name: topology },
                spec: { levels: [{ nodeLabel: RACK }, { nodeLabel: "kubernetes.io/hostname" }] },
              },
            ]),
      ];
    }
    case "local":
      return [
        of("LocalQueue", {
          spec: {
            clusterQueue: rest[0],
            ...(options.has("weight") ? { fairSharing: { weight: options.get("weight") } } : {}),
          },
        }),
      ];
    case "class":
      return [of("WorkloadPriorityClass", { value: Number(rest[0]) })];
    default:
      throw new Error(`no such line: ${line}`);
  }
}

function queueSpec(amounts: string, options: Options): object {
  const upTo = options.get("upto");
  return {
    ...(options.has("in") ? { cohortName: options.get("in") } : {}),
    queueingStrategy: options.has("strict") ? "StrictFIFO" : "BestEffortFIFO",
    resourceGroups: groups(amounts, options),
    preemption: {
      withinClusterQueue: options.get("within") ?? "Never",
      reclaimWithinCohort: options.get("reclaim") ?? "Never",
      ...(upTo === undefined
        ? {}
        : { borrowWithinCohort: { policy: "LowerPriority", maxPriorityThreshold: Number(upTo) } }),
    },
    flavorFungibility: {
      whenCanBorrow: options.get("whenCanBorrow") ?? "MayStopSearch",
      whenCanPreempt: options.get("whenCanPreempt") ?? "TryNextFlavor",
      ...(options.has("preference") ? { preference: options.get("preference") } : {}),
    },
    ...(options.has("weight") ? { fairSharing: { weight: options.get("weight") } } : {}),
    ...(options.has("use")
      ? { admissionScope: { admissionMode: "UsageBasedAdmissionFairSharing" } }
      : {}),
    ...(options.has("stop") ? { stopPolicy: options.get("stop") } : {}),
  };
}

function groups(amounts: string, options: Options): object[] {
  const flavors = amounts.includes(":")
    ? amounts.split(",").map((one) => one.split(":") as [string, string])
    : [["gpu", amounts] as const];
  const limits = {
    ...(options.has("borrow") ? { borrowingLimit: options.get("borrow") } : {}),
    ...(options.has("lend") ? { lendingLimit: options.get("lend") } : {}),
  };
  return [
    {
      coveredResources: [GPU],
      flavors: flavors.map(([name, nominalQuota]) => ({
        name,
        resources: [{ name: GPU, nominalQuota, ...limits }],
      })),
    },
  ];
}

const CLUSTER_WORDS: ReadonlySet<string> = new Set(["m", "leaves"]);

export function kueueDocument(drawn: DrawnKueue): object {
  const [size, ...words] = drawn.words;
  const options = optionsOf(words);
  const group = (id: string, given: string) => {
    const [count, gpus] = given.split("x").map(Number);
    return { id, count, gpus, labels: { group: id } };
  };
  const more = options.get("m");
  const nodeGroups = [group("n", size!), ...(more === undefined ? [] : [group("m", more)])];
  const leaves = options.get("leaves");
  const settings = Object.fromEntries(
    [...options]
      .filter(([key]) => !CLUSTER_WORDS.has(key))
      .map(([key, value]) => [key, settingOf(value)]),
  );
  const jobs = drawn.lines.map(jobOf);
  const named = (of: (job: (typeof jobs)[number]) => string | undefined) => [
    ...new Set(jobs.flatMap((job) => of(job) ?? [])),
  ];
  const teams = named(({ team }) => team).map((id) => ({ id }));
  return {
    version: 1,
    cluster: {
      nodeGroups,
      ...(leaves === undefined
        ? {}
        : { fabric: { nodesPerLeaf: Number(size!.split("x")[0]) / Number(leaves) } }),
    },
    queues: named(({ queue }) => queue),
    ...(teams.length > 0 ? { teams } : {}),
    pools: [
      {
        id: "all",
        policy: {
          preset: "kueue",
          settings: { ...PROMPT, ...settings },
          yaml: yamlOf(linesAt(drawn.objects, 0)),
        },
      },
    ],
    interventions: changesOf(drawn.objects, { ...PROMPT, ...settings }),
    workload: { jobs },
  };
}

function settingOf(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return Number.isNaN(Number(text)) ? text : Number(text);
}

export function kueueWorld(drawn: DrawnKueue): World {
  return documentWorld(JSON.parse(JSON.stringify(kueueDocument(drawn))));
}

export function drawKueue(drawn: DrawnKueue): string {
  return draw(runWorld(kueueWorld(drawn), schedulerOf));
}
