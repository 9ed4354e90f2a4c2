/** Computes one curve of a run, in slices: a generator that yields between pieces of work of a few milliseconds. */
import { GaugeCode } from "../../model/lab/gauges.ts";
import type { Stage } from "../../protocol/messages.ts";
import type { Chunk, OpenSet } from "../../record/shapes.ts";
import { capacitySteps } from "../capacity.ts";
import { GaugeSeries } from "../gaugeSeries.ts";
import { binLength, stopSteps, waitSteps } from "./binCurves.ts";
import { type Curve, type CurveLine, type CurveUnit, lineAt } from "./curve.ts";
import type { CurveId } from "./curveIds.ts";
import { deviceUseSteps, USES } from "./deviceUse.ts";
import { freeSteps } from "./freeSteps.ts";
import { priceSteps } from "./moneyCurves.ts";
import { type Steps, stepsOf } from "./steps.ts";
import { mergedTimes, teamSteps } from "./teamCurves.ts";
import { demandSteps, type TierField, tierSteps } from "./tierCurves.ts";

export type CurveWorld = Pick<Stage, "cluster" | "jobs" | "tiers" | "teams" | "poolIds">;

export interface CurveRecord {
  readonly chunks: readonly Chunk[];
  readonly open: OpenSet | null;
  /** Where the record ends, ms. */
  readonly endMs: number;
}

/** More lines than this cannot be told apart by their dashes. */
const LINES_MOST = 4;
/** The scale of a quotient ends at so many times its last value: at first, with little below the line, it is beyond every bound. */
const QUOTIENT_MOST = 3;

/** What several curves of a run are made of, by its list of chunks. */
const parts = new WeakMap<CurveRecord["chunks"], Map<string, unknown>>();

function* kept<T>(
  { chunks }: CurveRecord,
  name: string,
  make: () => Generator<void, T>,
): Generator<void, T> {
  const known = parts.get(chunks) ?? new Map<string, unknown>();
  parts.set(chunks, known);
  if (!known.has(name)) known.set(name, yield* make());
  return known.get(name) as T;
}

const usesOf = (world: CurveWorld, record: CurveRecord) =>
  kept(record, "use", () => deviceUseSteps(world, record));
const teamsOf = (world: CurveWorld, record: CurveRecord) =>
  kept(record, "teams", () => teamSteps(world, record));

/** The curve, or null where the run has no such one. */
export function* curveSteps(
  id: CurveId,
  world: CurveWorld,
  record: CurveRecord,
): Generator<void, Curve | null> {
  switch (id) {
    case "held":
      return yield* tierCurve(world, record, "heldParts", "devices");
    case "waiting":
      return yield* tierCurve(world, record, "jobsWaiting", "jobs");
    case "waitedTiers":
      return yield* tierCurve(world, record, "waitedParts", "devices");
    case "waited": {
      const { total } = yield* tierSteps(record.chunks, world.tiers.length, "waitedParts");
      return lines("devices", [line(`${world.cluster.deviceWord}s waited for`, total)]);
    }
    case "use":
      return yield* usesCurve(world, record);
    case "demand":
      return yield* demandCurve(world, record);
    case "waits":
      return yield* waitCurve(world, record);
    case "stops":
      return yield* stopCurve(world, record);
    case "teams":
      return yield* teamsCurve(world, record);
    case "free":
      return yield* freeCurve(world, record);
    case "fragmentation":
      return fragmentationCurve(world, record);
    case "cost":
    case "costPerHour":
      return yield* moneyCurve(id, world, record);
    default:
      return yield* teamCurve(Number(id.slice("team:".length)), world, record);
  }
}

function line(label: string, steps: Steps, dash = 0): CurveLine {
  return { label, steps, as: "value", look: { kind: "line", dash } };
}

function lines(unit: CurveUnit, all: readonly CurveLine[]): Curve {
  const most = all.reduce((least, { steps }) => Math.max(least, steps.most), 0);
  return { lines: all, unit, stacked: false, most, main: 0, outline: all.length };
}

/** The cluster's devices in service, for a line across. */
function inService({ cluster }: CurveWorld, { chunks, open }: CurveRecord): Steps {
  const steps = capacitySteps(cluster, chunks, open);
  return stepsOf(
    steps.map(({ atMs }) => atMs),
    steps.map(({ devices }) => devices),
  );
}

function* tierCurve(
  world: CurveWorld,
  record: CurveRecord,
  field: TierField,
  unit: CurveUnit,
): Generator<void, Curve> {
  const { tiers, total } = yield* tierSteps(record.chunks, world.tiers.length, field);
  const held = field === "heldParts";
  const used = tiers.flatMap((steps, tier) => (steps.most > 0 ? [{ steps, tier }] : []));
  return {
    lines: used.map(({ steps, tier }) => ({
      ...line(world.tiers[tier]!.name, steps),
      look: { kind: "tier", tier },
    })),
    unit,
    stacked: true,
    most: held ? world.cluster.deviceCount : total.most,
    main: null,
    outline: used.length,
    ...(held ? { level: { label: "in service", steps: inService(world, record) } } : {}),
  };
}

const USE_WORDS = {
  useful: "useful",
  unfinished: "unfinished",
  overhead: "overhead",
  stalled: "no progress",
  lost: "lost",
  idle: "idle while work waits",
} as const;

function* usesCurve(world: CurveWorld, record: CurveRecord): Generator<void, Curve> {
  const uses = yield* usesOf(world, record);
  // What nothing did has no line; useful time always has.
  const shown = USES.filter((use) => use === "useful" || uses[use].most > 0);
  return {
    lines: shown.map((use) => ({
      ...line(USE_WORDS[use], uses[use]),
      look: { kind: "use", use },
    })),
    unit: "devices",
    stacked: true,
    most: world.cluster.deviceCount,
    main: 0,
    outline: 1,
    level: { label: "in service", steps: inService(world, record) },
  };
}

function* demandCurve(world: CurveWorld, record: CurveRecord): Generator<void, Curve> {
  const capacity = capacitySteps(world.cluster, record.chunks, record.open);
  const steps = yield* demandSteps(record.chunks, capacity, world.tiers.length);
  const curve = lines("ratio", [line("held and waited for ÷ in service", steps)]);
  return {
    ...curve,
    most: Math.max(1, curve.most),
    level: { label: "all in service", steps: stepsOf([0], [1]) },
  };
}

function* waitCurve(world: CurveWorld, record: CurveRecord): Generator<void, Curve> {
  const binMs = binLength(record.endMs, world.jobs.count);
  const { p50, p95 } = yield* waitSteps(record.chunks, world.jobs, binMs);
  return { ...lines("duration", [line("p95", p95), line("p50", p50, 1)]), binMs };
}

function* stopCurve(world: CurveWorld, record: CurveRecord): Generator<void, Curve> {
  const binMs = binLength(record.endMs, world.jobs.count);
  const { preempted, suspended, shrunk } = yield* stopSteps(record.chunks, binMs, record.endMs);
  const more = [
    { label: "suspended", steps: suspended },
    { label: "shrunk", steps: shrunk },
  ].filter(({ steps }) => steps.most > 0);
  return {
    ...lines("events", [
      line("preempted", preempted),
      ...more.map(({ label, steps }, index) => line(label, steps, index + 1)),
    ]),
    binMs,
  };
}

/** The teams that hold most over the run; more lines could not be told apart. */
function* teamsCurve(world: CurveWorld, record: CurveRecord): Generator<void, Curve | null> {
  const all = yield* teamsOf(world, record);
  const shown = [...all.keys()]
    .filter((team) => world.teams[team]!.id !== "" && all[team]!.held.most > 0)
    .sort((a, b) => all[b]!.held.sums.at(-1)! - all[a]!.held.sums.at(-1)! || a - b)
    .slice(0, LINES_MOST);
  const parts: { readonly team: number; readonly steps: Steps }[] = [];
  for (const team of shown) {
    parts.push({ team, steps: quotientSteps(all[team]!.held, all[team]!.due) });
    yield;
  }
  const curve = lines(
    "share",
    parts.map(({ team, steps }, index) => line(world.teams[team]!.name, steps, index)),
  );
  const level = { label: "what is due", steps: stepsOf([0], [1]) };
  return curve.lines.length === 0 ? null : { ...curve, most: Math.max(1, curve.most), level };
}

/** One over the other, a gap where nothing is due. */
function quotientSteps(above: Steps, below: Steps): Steps {
  const times = mergedTimes([above, below]);
  const values = new Float64Array(times.length);
  let a = -1;
  let b = -1;
  for (let row = 0; row < times.length; row++) {
    const atMs = times[row]!;
    while (a + 1 < above.atMs.length && above.atMs[a + 1]! <= atMs) a += 1;
    while (b + 1 < below.atMs.length && below.atMs[b + 1]! <= atMs) b += 1;
    const due = below.values[b] ?? 0;
    values[row] = due > 0 ? (above.values[a] ?? 0) / due : Number.NaN;
  }
  return stepsOf(times, values);
}

function* teamCurve(
  team: number,
  world: CurveWorld,
  record: CurveRecord,
): Generator<void, Curve | null> {
  if (world.teams[team] === undefined || world.teams.length < 2) return null;
  const { held, due } = (yield* teamsOf(world, record))[team]!;
  const curve = lines("devices", [line("held", held), line("due", due, 2)]);
  return { ...curve, most: Math.max(1, curve.most), outline: 1 };
}

function* freeCurve(world: CurveWorld, record: CurveRecord): Generator<void, Curve | null> {
  if (world.cluster.nodeCount < 2) return null;
  const { free, inPieces } = yield* freeSteps(world.cluster, record);
  const curve = lines("devices", [
    line("free on part-used nodes", inPieces),
    line("free", free, 1),
  ]);
  return { ...curve, most: Math.max(1, curve.most), outline: 1 };
}

function fragmentationCurve(world: CurveWorld, { chunks }: CurveRecord): Curve | null {
  const series = new GaugeSeries();
  series.update(chunks);
  const pools = series.subjects(GaugeCode.fragmentation).slice(0, LINES_MOST);
  if (pools.length === 0) return null;
  const curve = lines(
    "share",
    pools.map((pool, index) => {
      const { atMs, values } = series.get(GaugeCode.fragmentation, pool)!;
      const label = pools.length === 1 ? "free, of no use" : (world.poolIds[pool] ?? `${pool + 1}`);
      return line(label, stepsOf(atMs, values), index);
    }),
  );
  return { ...curve, most: Math.max(0.01, curve.most) };
}

function* moneyCurve(
  id: "cost" | "costPerHour",
  world: CurveWorld,
  record: CurveRecord,
): Generator<void, Curve> {
  const { chunks, open, endMs } = record;
  const price = yield* priceSteps(world.cluster, chunks, open, endMs);
  if (id === "cost") {
    const cost: CurveLine = { ...line("cost so far", price), as: "sum" };
    return { ...lines("money", [cost]), most: lineAt(cost, endMs) };
  }
  const { useful } = yield* usesOf(world, record);
  const quotient: CurveLine = {
    ...line(`a useful ${world.cluster.deviceWord}-hour`, price),
    as: "quotient",
    over: useful,
  };
  const last = lineAt(quotient, endMs);
  return { ...lines("rate", [quotient]), most: Number.isNaN(last) ? 1 : last * QUOTIENT_MOST };
}
