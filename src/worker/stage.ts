/** What the page needs beside the record, copied once from the world and handed over without a second copy. */
import type { ArraysOf, Shape } from "../base/columns.ts";
import { buffersOf, sliceColumns } from "../base/columns.ts";
import type { NameList } from "../model/jobs.ts";
import type { Traffic } from "../model/lab/jobLife.ts";
import type { World } from "../model/world.ts";
import type { DataMessage, Stage } from "../protocol/messages.ts";

export function stageOf(world: World, generation: number, importNotes: readonly string[]): Stage {
  const { jobs, cluster } = world;
  const ids = copyNames(jobs.ids);
  return {
    generation,
    cluster,
    jobs: {
      count: jobs.count,
      at: copyAll(jobs.at),
      components: copyAll(jobs.components),
      ids,
      names:
        jobs.names.numbers === jobs.ids.numbers
          ? { numbers: ids.numbers, texts: jobs.names.texts }
          : copyNames(jobs.names),
      users: jobs.users,
      gpuModels: jobs.gpuModels,
      migProfiles: jobs.migProfiles,
    },
    tiers: world.tiers,
    teams: world.teams,
    services: (world.services ?? []).map(({ id, targetMs }) => ({ id, targetMs })),
    queues: world.queues,
    poolIds: world.pools.map((pool) => pool.id),
    poolOfJob: Uint8Array.from(world.poolOfJob),
    importNotes,
    ...trafficOf(world),
  };
}

/** Jobs of one kind share one object, and still do on the page. O(jobs) where a network is modelled. */
function trafficOf({ network, jobs }: World): Pick<Stage, "traffic"> {
  if (!network) return {};
  const kinds = new Map<Traffic, number>();
  const ofJob = new Uint32Array(jobs.count);
  for (const [jobIdx, { traffic }] of jobs.lab) {
    if (!traffic) continue;
    const kind = kinds.get(traffic) ?? kinds.size + 1;
    kinds.set(traffic, kind);
    ofJob[jobIdx] = kind;
  }
  return { traffic: { kinds: [...kinds.keys()], ofJob } };
}

/** The transfer list of a stage made by `stageOf`: the cluster's few columns are cloned, the engine keeps them. */
export function stageBuffers(stage: Stage): ArrayBuffer[] {
  const { at, components, ids, names } = stage.jobs;
  const buffers = [
    ...buffersOf(at),
    ...buffersOf(components),
    ids.numbers.buffer,
    names.numbers.buffer,
    stage.poolOfJob.buffer,
  ];
  return [...new Set(buffers)];
}

/** The transfer list of a message on the data port: the columns of a chunk and of its open set. */
export function messageBuffers(message: DataMessage): ArrayBuffer[] {
  if (message.kind !== "chunk") return [];
  const { chunk, open } = message;
  const tables = [
    chunk.rects,
    chunk.runs,
    chunk.waits,
    chunk.decisions,
    chunk.nodeSpans,
    chunk.gauges,
    chunk.series,
    open.rects,
    open.waits,
    open.nodeSpans,
  ];
  return [...new Set(tables.flatMap((table) => buffersOf(table)))];
}

function copyAll<S extends Shape>(arrays: ArraysOf<S>): ArraysOf<S> {
  return sliceColumns<S>(arrays, 0, Number.POSITIVE_INFINITY);
}

function copyNames(list: NameList): NameList {
  return { numbers: list.numbers.slice(), texts: list.texts };
}
