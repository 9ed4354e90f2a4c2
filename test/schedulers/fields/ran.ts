/** A document run to its end, and short words for what came of it. Times are seconds; what has not ended by then has no end. */
import { simulate } from "../../../src/cli/simulate.ts";
import type { RunMetrics } from "../../../src/metrics/runMetrics.ts";
import { nodeOfDevice } from "../../../src/model/cluster.ts";
import { nameOf } from "../../../src/model/jobs.ts";
import { GAUGES, type Gauge } from "../../../src/model/lab/gauges.ts";
import { START_REASONS, STOP_REASONS, WAIT_REASONS } from "../../../src/model/reasons.ts";
import { END_STATES, MEMBER_STATES, NODE_STATES } from "../../../src/model/states.ts";
import type { World } from "../../../src/model/world.ts";
import { type Chunk, DECISION_KINDS, type OpenSet } from "../../../src/record/shapes.ts";
import { readScenario } from "../../../src/scenario/read.ts";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import { type JobStory, jobStoryOf, type StoryRun } from "../../../src/timeline/jobStory.ts";
import { jobNamed } from "../../support/world.ts";

export interface Ran {
  readonly world: World;
  readonly metrics: RunMetrics;
  readonly chunks: readonly Chunk[];
  readonly open: OpenSet;
}

const known = new Map<string, Ran>();

/** Throws with the problems of a document that has some. */
export function ran(document: ScenarioInput): Ran {
  const key = JSON.stringify(document);
  const before = known.get(key);
  if (before) return before;
  const read = readScenario(document);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const chunks: Chunk[] = [];
  const options = { checks: true, onChunk: (chunk: Chunk) => void chunks.push(chunk) };
  const { world, metrics, open } = simulate(read.value, undefined, options);
  const run = { world, metrics, chunks, open };
  known.set(key, run);
  return run;
}

/** `refused at /teams/0/parent`; null where the document is accepted. */
export function refusalOf(document: ScenarioInput): string | null {
  const read = readScenario(document);
  return read.ok ? null : `refused at ${read.error.map((problem) => problem.place).join(", ")}`;
}

export const sec = (ms: number): number => Math.round(ms) / 1_000;

export function storyOf(run: Ran, name: string): JobStory {
  return jobStoryOf(run, jobNamed(run.world, name));
}

function runWords({ startMs, endMs, stopReason }: StoryRun): string {
  if (!Number.isFinite(endMs)) return `${sec(startMs)}-`;
  const reason = STOP_REASONS[stopReason]!;
  const why = reason === "workDone" ? "" : ` ${reason}`;
  return `${sec(startMs)}-${sec(endMs)}${why}`;
}

/** The runs of each job: `0-3 preempted, 7-17`; `waits` of one that never ran, `refused` and the like of one that left so. */
export const runs =
  (...names: readonly string[]) =>
  (run: Ran): Record<string, string> =>
    Object.fromEntries(
      names.map((name) => {
        const { runs: all, left } = storyOf(run, name);
        if (left !== null) return [name, END_STATES[left.endState]!];
        return [name, all.length === 0 ? "waits" : all.map(runWords).join(", ")];
      }),
    );

/** The same of all jobs that there are. */
export const everyRun = (run: Ran): Record<string, string> => {
  const { jobs } = run.world;
  return runs(...Array.from({ length: jobs.count }, (_, job) => nameOf(jobs.names, job)))(run);
};

/** Why each run of a job started. */
export const startReasons = (name: string) => (run: Ran) =>
  storyOf(run, name).runs.map((entry) => START_REASONS[entry.startReason]!);

/** Why a job waited: each reason with the time it was first given. */
export const waitReasons = (name: string) => (run: Ran) =>
  storyOf(run, name).decisions.flatMap(({ kind, atMs, reason }) =>
    DECISION_KINDS[kind] === "wait" ? [`${sec(atMs)} ${WAIT_REASONS[reason]}`] : [],
  );

/** Decisions of a kind about a job: time and value. */
export const decided = (kind: (typeof DECISION_KINDS)[number], name: string) => (run: Ran) =>
  storyOf(run, name).decisions.flatMap((entry) =>
    DECISION_KINDS[entry.kind] === kind ? [[sec(entry.atMs), entry.value]] : [],
  );

/** Names of the nodes that a job ever held something of. */
export const nodesOf = (name: string) => (run: Ran) => {
  const { cluster } = run.world;
  const nodes = storyOf(run, name).rects.map((rect) => nodeOfDevice(cluster, rect.device));
  return [...new Set(nodes)].sort((a, b) => a - b).map((node) => cluster.nodeNames[node]!);
};

/** What the first device of a job did: `starting 0-3, running 3-8`. */
export const phases = (name: string) => (run: Ran) => {
  const rects = storyOf(run, name).rects.toSorted((a, b) => a.startMs - b.startMs);
  const first = rects.reduce((least, rect) => Math.min(least, rect.device), Number.MAX_VALUE);
  return rects
    .filter((rect) => rect.device === first)
    .map(({ memberState, startMs, endMs }) => {
      const end = Number.isFinite(endMs) ? sec(endMs) : "";
      return `${MEMBER_STATES[memberState]} ${sec(startMs)}-${end}`;
    })
    .join(", ");
};

/** Devices that a job held: each change with its time. */
export const held = (name: string) => (run: Ran) => {
  const { rects } = storyOf(run, name);
  const times = [...new Set(rects.flatMap(({ startMs, endMs }) => [startMs, endMs]))];
  return times
    .sort((a, b) => a - b)
    .map((atMs) => {
      const now = rects.filter((rect) => rect.startMs <= atMs && atMs < rect.endMs);
      return [atMs, now.reduce((sum, rect) => sum + rect.deviceCount, 0)] as const;
    })
    .filter(([, count], index, all) => index === 0 || count !== all[index - 1]![1])
    .filter(([atMs]) => Number.isFinite(atMs))
    .map(([atMs, count]) => `${sec(atMs)}: ${count}`)
    .join(", ");
};

/** Times and values of a gauge. */
export const gauge =
  (name: Gauge, subject = 0) =>
  (run: Ran): [number, number][] =>
    run.chunks.flatMap(({ gauges }) =>
      [...gauges.kind].flatMap((kind, row): [number, number][] =>
        kind === GAUGES.indexOf(name) && gauges.subject[row] === subject
          ? [[sec(gauges.atMs[row]!), Math.round(gauges.value[row]! * 1_000) / 1_000]]
          : [],
      ),
    );

/** Stretches in which a node was not open: `down 3-8`. */
export const away = (node: string) => (run: Ran) => {
  const nodeIdx = run.world.cluster.nodeNames.indexOf(node);
  return [...run.chunks.map((chunk) => chunk.nodeSpans), run.open.nodeSpans].flatMap((spans) =>
    [...spans.node].flatMap((each, row) => {
      if (each !== nodeIdx) return [];
      const endMs = spans.endMs[row]!;
      const end = Number.isFinite(endMs) ? sec(endMs) : "";
      return [`${NODE_STATES[spans.state[row]!]} ${sec(spans.startMs[row]!)}-${end}`];
    }),
  );
};

/** Several views of one run. */
export const all =
  (views: Readonly<Record<string, (run: Ran) => unknown>>) =>
  (run: Ran): Record<string, unknown> =>
    Object.fromEntries(Object.entries(views).map(([key, see]) => [key, see(run)]));
