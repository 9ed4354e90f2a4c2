/**
 * What may start a waiting job: one ladder a kind of change, its rungs from little to much. Whether a rung helps only a run can tell. Changes
 * that an intervention makes act from the cursor on; what the document says of cluster, quotas and wishes acts from the start of the run.
 */

import { countText, durationText } from "../../../base/format.ts";
import { acting } from "../../../scenario/interventions.ts";
import { policyAt } from "../../../scenario/policyAt.ts";
import type { Intervention, Scenario } from "../../../scenario/schema.ts";

export interface Ladder {
  readonly key: string;
  /** What the change is at a rung. */
  readonly words: (rung: number) => string;
  /** Ascending or descending, from the smallest change to the largest. */
  readonly rungs: readonly number[];
  /** Rungs are amounts between which others lie, so the smallest that helps can be searched for. */
  readonly narrows: boolean;
  readonly scope: "now" | "start";
  readonly document: (rung: number) => Scenario;
  /** The change itself, where an intervention makes it. */
  readonly intervention: ((rung: number) => Intervention) | null;
}

export interface Asked {
  readonly scenario: Scenario;
  readonly jobId: string;
  readonly atMs: number;
  readonly poolId: string;
  /** Tier now, by index; 0 is the highest. */
  readonly tier: number;
  /** Team, by id; empty = none. */
  readonly team: string;
  /** Devices asked for, and the limit (ms; Infinity = none). */
  readonly devices: number;
  readonly limitMs: number;
  readonly word: string;
}

const MINUTE = 60_000;
const NODES_LEAST = 16;
const QUOTA_RUNGS = 8;

/** Ladders that could apply to this job, in the order in which they are tried. */
export function laddersFor(asked: Asked): Ladder[] {
  return [
    passing(asked),
    shorterLimit(asked),
    higherTier(asked),
    openNodes(asked),
    withoutReservations(asked),
    withoutWish(asked),
    higherQuota(asked),
    moreNodes(asked),
  ].filter((ladder) => ladder !== null);
}

/** A ladder whose rungs are interventions at the cursor. */
function byIntervention(
  { scenario }: Asked,
  ladder: Omit<Ladder, "scope" | "document"> & { intervention: (rung: number) => Intervention },
): Ladder {
  return {
    ...ladder,
    scope: "now",
    document: (rung) => ({
      ...scenario,
      interventions: [...scenario.interventions, ladder.intervention(rung)],
    }),
  };
}

function passing(asked: Asked): Ladder | null {
  const { scenario, poolId, atMs } = asked;
  const policy = policyAt(scenario, poolId, atMs);
  if (policy.preset !== "lab" || (policy.settings.backfill ?? "none") !== "none") return null;
  return byIntervention(asked, {
    key: "backfill",
    words: () => "EASY backfill",
    rungs: [1],
    narrows: false,
    intervention: () => ({
      kind: "policy",
      atMs,
      ...(scenario.pools.length > 1 ? { pool: poolId } : {}),
      policy: { ...policy, settings: { ...policy.settings, backfill: "easy" } },
      note: "Backfill",
    }),
  });
}

function shorterLimit(asked: Asked): Ladder | null {
  const { limitMs, jobId, atMs } = asked;
  if (!Number.isFinite(limitMs) || limitMs <= MINUTE) return null;
  const rungs: number[] = [];
  for (let ms = limitMs / 2; ms >= MINUTE && rungs.length < 8; ms /= 2)
    rungs.push(Math.max(MINUTE, Math.floor(ms / MINUTE) * MINUTE));
  return byIntervention(asked, {
    key: "limit",
    words: (ms) => `a time limit of ${durationText(ms)} instead of ${durationText(limitMs)}`,
    rungs,
    narrows: true,
    intervention: (ms) => ({ kind: "update", atMs, job: jobId, limitMs: ms }),
  });
}

function higherTier(asked: Asked): Ladder | null {
  const { scenario, tier, jobId, atMs } = asked;
  if (tier === 0) return null;
  return byIntervention(asked, {
    key: "tier",
    words: (index) => `tier ${scenario.tiers[index]!.name}`,
    rungs: Array.from({ length: tier }, (_, above) => tier - 1 - above),
    narrows: false,
    intervention: (index) => ({
      kind: "retier",
      atMs,
      job: jobId,
      tier: scenario.tiers[index]!.id,
    }),
  });
}

/** Nodes that were drained or failed by a change before the cursor and are not back yet. */
function openNodes(asked: Asked): Ladder | null {
  const { scenario, atMs } = asked;
  const closed = new Set<string>();
  for (const change of acting(scenario.interventions).toSorted((a, b) => a.atMs - b.atMs)) {
    if (change.atMs > atMs) break;
    if (change.kind === "drain" || change.kind === "fail")
      for (const node of change.nodes) closed.add(node);
    if (change.kind === "resume") for (const node of change.nodes) closed.delete(node);
  }
  if (closed.size === 0) return null;
  const nodes = [...closed];
  return byIntervention(asked, {
    key: "nodes",
    words: () =>
      nodes.length === 1
        ? `node ${nodes[0]} open again`
        : `all ${nodes.length} closed nodes open again`,
    rungs: [1],
    narrows: false,
    intervention: () => ({ kind: "resume", atMs, nodes }),
  });
}

/** Windows and reservations that are kept at the cursor or later, all of them together. */
function withoutReservations({ scenario, atMs }: Asked): Ladder | null {
  const reserved = acting(scenario.interventions).filter(
    (change) => change.kind === "reserve" && change.endMs > atMs,
  );
  const count = scenario.windows.length + reserved.length;
  if (count === 0) return null;
  return {
    key: "windows",
    words: () => (count === 1 ? "without the reserved window" : "without the reserved windows"),
    rungs: [1],
    narrows: false,
    scope: "start",
    document: () => ({
      ...scenario,
      windows: [],
      interventions: scenario.interventions.filter((change) => !reserved.includes(change)),
    }),
    intervention: null,
  };
}

/** Where the job asks to be: under one leaf, in one NVSwitch domain, on nodes of a label, alone. */
function withoutWish({ scenario, jobId }: Asked): Ladder | null {
  const job = scenario.workload.jobs.find(({ id }) => id === jobId);
  if (!job) return null;
  const { within, labels, exclusive, ...rest } = job as typeof job & {
    labels?: unknown;
    exclusive?: unknown;
  };
  if (within === undefined && labels === undefined && exclusive === undefined) return null;
  const wish =
    within === "leaf"
      ? "the wish for one leaf"
      : within === "nvswitch"
        ? "the wish for one NVSwitch domain"
        : "the wish for certain nodes";
  return {
    key: "wish",
    words: () => `without ${wish}`,
    rungs: [1],
    narrows: false,
    scope: "start",
    document: () => ({
      ...scenario,
      workload: {
        ...scenario.workload,
        jobs: scenario.workload.jobs.map((one) => (one === job ? rest : one)),
      },
    }),
    intervention: null,
  };
}

function higherQuota({ scenario, team, devices, word }: Asked): Ladder | null {
  const entry = scenario.teams.find(({ id }) => id === team);
  if (entry?.quotaGpus === undefined) return null;
  const quota = entry.quotaGpus;
  return {
    key: "quota",
    words: (more) => `${countText(more, `more ${word}`)} of quota for ${entry.name ?? entry.id}`,
    rungs: doubling(1, Math.max(1, devices), QUOTA_RUNGS),
    narrows: true,
    scope: "start",
    document: (more) => ({
      ...scenario,
      teams: scenario.teams.map((one) =>
        one === entry ? { ...one, quotaGpus: quota + more } : one,
      ),
    }),
    intervention: null,
  };
}

/** Nodes like those of the largest group, closed until the cursor; on a flat machine more processors, from the start. */
function moreNodes({ scenario, poolId, devices, atMs, word }: Asked): Ladder | null {
  const { cluster } = scenario;
  const groups = cluster.nodeGroups.filter(({ gpus, burst }) => gpus > 0 && burst === undefined);
  const [like] = groups.toSorted((a, b) => b.count * b.gpus - a.count * a.gpus);
  if (!like || devices === 0) return null;
  if (cluster.flat)
    return {
      key: "devices",
      words: (more) => countText(more, `more ${word}`),
      rungs: doubling(1, Math.max(devices, 16), 16),
      narrows: true,
      scope: "start",
      document: (more) => ({
        ...scenario,
        cluster: {
          ...cluster,
          nodeGroups: cluster.nodeGroups.map((group) =>
            group === like ? { ...group, gpus: group.gpus + more } : group,
          ),
        },
      }),
      intervention: null,
    };
  const id = freeGroupId(scenario, "more");
  const nodes = (count: number) =>
    Array.from({ length: count }, (_, index) => `${id}-${String(index).padStart(3, "0")}`);
  const { names, ...group } = like;
  return {
    key: "devices",
    words: (count) => `${countText(count, "more node")} of ${countText(like.gpus, word)}`,
    // Those before it in the queue take what comes first.
    rungs: doubling(1, Math.max(NODES_LEAST, Math.ceil(devices / like.gpus)), 8),
    narrows: true,
    scope: "now",
    document: (count) => ({
      ...scenario,
      cluster: { ...cluster, nodeGroups: [...cluster.nodeGroups, { ...group, id, count }] },
      pools: scenario.pools.map((pool) =>
        pool.id === poolId && pool.nodeGroups
          ? { ...pool, nodeGroups: [...pool.nodeGroups, id] }
          : pool,
      ),
      interventions: [
        { kind: "drain", atMs: 0, nodes: nodes(count) },
        ...scenario.interventions,
        { kind: "resume", atMs, nodes: nodes(count) },
      ],
    }),
    intervention: null,
  };
}

function freeGroupId({ cluster }: Scenario, wish: string): string {
  const taken = new Set(cluster.nodeGroups.map(({ id }) => id));
  let id = wish;
  for (let number = 2; taken.has(id); number++) id = `${wish}${number}`;
  return id;
}

/** 1, 2, 4 … and the most itself, at most `count` of them. */
function doubling(least: number, most: number, count: number): number[] {
  const rungs: number[] = [];
  for (let value = least; value < most && rungs.length < count - 1; value *= 2) rungs.push(value);
  return [...rungs, most];
}
