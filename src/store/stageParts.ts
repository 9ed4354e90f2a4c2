/**
 * Puts a stage together from what the worker sent and the one before it. Where the worker says that cluster and jobs are as before they are the same objects, so that
 * what was computed from them still holds.
 */
import type { ArraysOf, Column, Shape } from "../base/columns.ts";
import { JoinedTexts } from "../base/joinedTexts.ts";
import { TailMap } from "../base/tailMap.ts";
import type { NameList } from "../model/jobs.ts";
import type { SentJobs, SentNames, SentStage, Stage } from "../protocol/messages.ts";

/** `before`: the stage of the last document that this worker opened. O(1) without new jobs, else O(jobs). Throws where a part is missing, which is a bug. */
export function joinStage(sent: SentStage, before: Stage | null): Stage {
  const { jobs, cluster, ...rest } = sent;
  const ground = cluster ?? before?.cluster;
  if (ground === undefined || (before === null && (jobs === null || jobs.keepJobs > 0)))
    throw new Error("The stage builds on one that was never sent.");
  const { traffic, ...parts } = jobs === null ? partsOf(before!) : joinJobs(jobs, before);
  return { ...rest, cluster: ground, ...parts, ...(traffic && { traffic }) };
}

type Parts = Pick<Stage, "jobs" | "poolOfJob" | "traffic">;

function partsOf({ jobs, poolOfJob, traffic }: Stage): Parts {
  return { jobs, poolOfJob, ...(traffic && { traffic }) };
}

function joinJobs(sent: SentJobs, before: Stage | null): Parts {
  const { keepJobs, keepComponents, table, poolOfJob, traffic } = sent;
  const network = traffic && { traffic };
  if (before === null || keepJobs === 0) return { jobs: allNew(table), poolOfJob, ...network };
  const { at, components, ids, names } = before.jobs;
  const joiner = new Joiner();
  const joinedIds = joinNames(ids, table.ids, keepJobs, joiner);
  const shared = table.names.numbers === table.ids.numbers;
  const joinedNames = joinNames(names, table.names, keepJobs, joiner);
  return {
    jobs: {
      ...table,
      at: joinColumns(at, table.at, keepJobs, joiner),
      components: joinColumns(components, table.components, keepComponents, joiner),
      ids: joinedIds,
      names: shared ? { ...joinedNames, numbers: joinedIds.numbers } : joinedNames,
    },
    poolOfJob: joiner.join(before.poolOfJob, poolOfJob, keepJobs),
    ...network,
  };
}

/** Puts columns together; those that are one array on both sides are one afterwards. */
class Joiner {
  readonly #made = new Map<Column, { before: Column; keep: number; joined: Column }>();

  join<T extends Column>(before: T, rows: T, keep: number): T {
    const known = this.#made.get(rows);
    if (known?.before === before && known.keep === keep) return known.joined as T;
    const joined = new (before.constructor as new (length: number) => T)(keep + rows.length);
    joined.set(before.subarray(0, keep), 0);
    joined.set(rows, keep);
    this.#made.set(rows, { before, keep, joined });
    return joined;
  }
}

function joinColumns<S extends Shape>(
  before: ArraysOf<S>,
  rows: ArraysOf<S>,
  keep: number,
  joiner: Joiner,
): ArraysOf<S> {
  const joined = Object.keys(rows).map((name) => [
    name,
    joiner.join<Column>(before[name]!, rows[name]!, keep),
  ]);
  return Object.fromEntries(joined) as ArraysOf<S>;
}

function allNew(table: SentJobs["table"]): Stage["jobs"] {
  const { ids, names } = table;
  const idTexts = new JoinedTexts(ids.texts);
  const nameTexts = names.texts === ids.texts ? idTexts : new JoinedTexts(names.texts);
  return { ...table, ids: { ...ids, texts: idTexts }, names: { ...names, texts: nameTexts } };
}

function joinNames(before: NameList, rows: SentNames, keep: number, joiner: Joiner): NameList {
  const added = new JoinedTexts(rows.texts);
  const texts = TailMap.over(before.texts, keep, before.numbers.length, added);
  return { numbers: joiner.join(before.numbers, rows.numbers, keep), texts };
}
