/**
 * Schedules drawn in `docs/policies/volcano.md`, `kai.md` and `ray.md`: a fenced block `groups` with the cluster (`2x4`: nodes × GPUs; `leaves=2`) and settings, then, divided by lines `---`, the YAML of
 * the policy, the jobs, and the drawing: one row a device, one column a second.
 *
 *     0 A 2x4 10s q=red t=high      2 members of 4 GPUs each, 10 s of work, queue red, tier high
 *     3 B 4*1 5s min=2 fixed        4 members of 1 GPU of which 2 are enough, not preemptible; also: loose (no gang), share=500, mig=3g.40gb (with *0), within=leaf, topo=preferred/1, cut=2 (may be admitted with 2), slice=2/LEVEL (two pods each in a domain of that level), +1*4 (and one member of 4 GPUs), group=3 (a pod group of 3 at least), team=x, never, kind=ci, cpus=4, bare, stay (not safe to evict)
 *     5 C 3*1 5s ray=actors         also: ray=tasks, ray=placementGroup, pg=STRICT_PACK, spread, node=n-001, soft, retries=1, restarts=1
 *     9 ! fail n-000                an intervention: also drain, resume
 *
 * `unit=2`: seconds of a column. `plain=2`: so many nodes without devices beside the others. Without settings there is no delay but the session itself, so that a column is a session. Each block becomes a document and is run as any other.
 */

import { schedulerOf } from "../../src/schedulers/registry.ts";
import { documentWorld } from "../support/documentWorld.ts";
import { draw, type Outcome, runWorld } from "../support/draw.ts";

export interface DrawnGroups {
  readonly title: string;
  readonly words: readonly string[];
  readonly yaml: string;
  readonly lines: readonly string[];
  readonly drawing: string;
}

const PROMPT: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  volcano: { podCreateMs: 0, podStartMs: 0, bindsPerSecond: 0, graceMs: 2_000 },
  kai: { podStartMs: 0, bindsPerSecond: 0, graceMs: 2_000 },
  ray: {
    rpcMs: 0,
    broadcastMs: 0,
    workerStartMs: 0,
    nodeStartMs: 2_000,
    autoscalerPeriodMs: 1_000,
  },
  "kube-scheduler": {
    watchDelayMs: 0,
    cycleMicros: 0,
    bindsPerSecond: 0,
    bindMs: 0,
    podStartMs: 0,
    graceMs: 2_000,
  },
};

export function groupsIn(markdown: string): DrawnGroups[] {
  const blocks = markdown.matchAll(/([^\n]*)\n+```groups([^\n]*)\n([\s\S]*?)\n```/g);
  return [...blocks].map(([, title, words, body]) => {
    const [yaml = "", jobs = "", drawing = ""] = `\n${body}\n`.split(/\n-----\n/);
    return {
      title: title!.trim(),
      words: words!.trim().split(/\s+/),
      yaml: yaml.trim(),
      lines: jobs.split("\n").filter((line) => line.trim() !== ""),
      drawing: drawing.replace(/^\n|\n$/g, ""),
    };
  });
}

export function documentOf(preset: string, drawn: DrawnGroups): object {
  const [size, ...words] = drawn.words;
  const [nodes, gpus] = size!.split("x").map(Number);
  const pairs = words.map((word) => word.split("=") as [string, string]);
  const given = pairs.filter(
    ([key]) => !["leaves", "cpus", "unit", "plain", "cloud"].includes(key),
  );
  const leaves = pairs.find(([key]) => key === "leaves")?.[1];
  const cpus = pairs.find(([key]) => key === "cpus")?.[1];
  const plain = pairs.find(([key]) => key === "plain")?.[1];
  const settings = {
    ...PROMPT[preset],
    ...Object.fromEntries(given.map(([k, v]) => [k, settingOf(v)])),
  };
  const jobs = drawn.lines.filter((line) => !line.includes(" ! ")).map(jobOf);
  const interventions = drawn.lines.filter((line) => line.includes(" ! ")).map(interventionOf);
  const queues = [...new Set(jobs.flatMap(({ queue }) => (queue === undefined ? [] : [queue])))];
  return {
    version: 1,
    cluster: {
      nodeGroups: [
        { id: "n", count: nodes, gpus, ...(cpus ? { cpus: Number(cpus) } : {}) },
        ...(plain ? [{ id: "plain", count: Number(plain), gpus: 0, cpus: Number(cpus) }] : []),
        ...pairs.filter(([key]) => key === "cloud").map(([, text], at) => cloudOf(text, at, cpus)),
      ],
      ...(leaves ? { fabric: { nodesPerLeaf: nodes! / Number(leaves) } } : {}),
    },
    queues,
    pools: [{ id: "all", policy: { preset, settings, yaml: drawn.yaml } }],
    workload: { jobs },
    ...(interventions.length > 0 ? { interventions } : {}),
  };
}

/** `2x4/3/16`: two nodes of 4 GPUs that are there 3 s after they are asked for, with 16 CPUs (absent: as many as the others). */
function cloudOf(text: string, at: number, standard: string | undefined): object {
  const [size, seconds, cpus = standard] = text.split("/");
  const [count, gpus] = size!.split("x").map(Number);
  const burst = { startupMs: Number(seconds) * 1_000 };
  return { id: `c${at}`, count, gpus, ...(cpus ? { cpus: Number(cpus) } : {}), burst };
}

function interventionOf(line: string): object {
  const [at, , kind, ...nodes] = line.trim().split(/\s+/);
  const noticed = kind === "fail" ? { noticed: true } : {};
  return { atMs: Number(at) * 1_000, kind, nodes, ...noticed };
}

function settingOf(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return Number.isNaN(Number(text)) ? text : Number(text);
}

/** A line of the block as a job of a document. */
export function jobOf(line: string) {
  const [at, id, size, work, ...words] = line.trim().split(/\s+/);
  const value = (key: string) =>
    words.find((word) => word.startsWith(`${key}=`))?.slice(key.length + 1);
  const [, members, by, gpus] = /^(\d+)([x*])(\d+)$/.exec(size!)!;
  const share = value("share");
  const min = value("min");
  const kubernetes = {
    ...topologyOf(value("topo"), value("slice")),
    ...(value("group") ? { minMember: Number(value("group")) } : {}),
    ...(value("cut") ? { minCount: Number(value("cut")) } : {}),
    ...(words.includes("never") ? { preemptionPolicy: "Never" } : {}),
    ...(words.includes("stay") ? { safeToEvict: false } : {}),
  };
  return {
    id,
    submitMs: Number(at) * 1_000,
    workMs: Number(work!.replace("s", "")) * 1_000,
    queue: value("q"),
    tier: value("t"),
    team: value("team"),
    kind: value("kind"),
    within: value("within"),
    gang: !words.includes("loose"),
    preemptible: !words.includes("fixed"),
    components: [
      {
        members: Number(members),
        ownNode: by === "x",
        ...(share ? { gpuShareMilli: Number(share) } : {}),
        ...(value("mig") ? { migProfile: value("mig") } : {}),
        gpusPerMember: Number(gpus),
        ...(min ? { minMembers: Number(min) } : {}),
        cpusPerMember: Number(value("cpus") ?? 0),
      },
      ...words.filter((word) => word.startsWith("+")).map(otherMembers),
    ],
    ...(Object.keys(kubernetes).length > 0 ? { kubernetes } : {}),
    ...rayOf(words, value),
  };
}

/** `+1*4`: members of another size. */
function otherMembers(word: string): object {
  const [members, gpusPerMember] = word.slice(1).split("*").map(Number);
  return { members, gpusPerMember, cpusPerMember: 0 };
}

function topologyOf(topo: string | undefined, slice: string | undefined): object {
  if (topo === undefined) return {};
  const [mode, ...level] = topo.split("/");
  const [size, ...sliceLevel] = slice?.split("/") ?? [];
  const slices = slice ? { sliceSize: Number(size), sliceLevel: sliceLevel.join("/") } : {};
  const levels = level.length === 0 ? {} : { level: level.join("/") };
  return { topology: { mode, ...levels, ...slices } };
}

function rayOf(words: readonly string[], value: (key: string) => string | undefined): object {
  const number = (key: string) => (value(key) === undefined ? undefined : Number(value(key)));
  const ray = {
    kind: value("ray"),
    strategy: value("pg"),
    scheduling: words.includes("spread") ? "SPREAD" : undefined,
    node: value("node"),
    soft: words.includes("soft") ? true : undefined,
    maxRetries: number("retries"),
    maxRestarts: number("restarts"),
  };
  return Object.values(ray).some((field) => field !== undefined) ? { ray } : {};
}

export function runGroups(preset: string, drawn: DrawnGroups): Outcome {
  const world = documentWorld(JSON.parse(JSON.stringify(documentOf(preset, drawn))));
  return runWorld(world, schedulerOf);
}

export function drawGroups(preset: string, drawn: DrawnGroups): string {
  const unit = drawn.words.find((word) => word.startsWith("unit="))?.slice(5) ?? "1";
  return draw(runGroups(preset, drawn), Number(unit) * 1_000);
}
