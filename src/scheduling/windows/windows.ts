/**
 * The books of the windows of one pool: those of the document, and those that interventions made and took back so far. A job is admitted to a reserved window
 * when each list that is not empty (tiers, teams, queues, users) names it; a window without any list, and maintenance, is for nobody. An admitted job may use the nodes like any
 * others, before and after as well. What runs when a window begins goes on, unless the window kills.
 *
 * Pathologies: nodes of a window stand idle before it, for want of jobs short enough (they show as wait reason `window`); a window that is not announced and does not
 * kill begins late, when the last run has ended. O(windows × nodes) at a change, else nothing.
 */
import type { PoolView } from "../../engine/view.ts";
import type { WindowRule } from "../../model/lab/tenancy.ts";
import { windowOfReservation } from "./fromReservation.ts";
import { knownOccurrences, nextChangeMs } from "./occurrences.ts";
import { pickNodes } from "./pickNodes.ts";

export interface OpenWindow {
  readonly rule: WindowRule;
  /** Index into `World.changes` of the intervention that made it; −1 = of the document. */
  readonly change: number;
  /** Null until they are picked. */
  nodes: readonly number[] | null;
  /** Begin of the last occurrence that was dealt with as begun. */
  begunMs: number;
}

export interface Stretch {
  readonly nodes: readonly number[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly forNobody: boolean;
  /** Place in `WindowsState.windows`. */
  readonly window: number;
}

export interface WindowsState {
  windows: OpenWindow[];
  /** Changes of the world that were looked at. */
  changesSeen: number;
  known: Stretch[];
  /** Nothing of `known` changes by itself before. */
  untilMs: number;
}

/** Takes the pool over: windows that hold already have begun. */
export function createWindows(view: PoolView): WindowsState {
  const windows = (view.world.windows ?? [])
    .filter((rule) => rule.pool === view.pool)
    .map((rule) => openWindow(rule, -1, view.nowMs));
  return { windows, changesSeen: 0, known: [], untilMs: Number.NEGATIVE_INFINITY };
}

function openWindow(rule: WindowRule, change: number, nowMs: number): OpenWindow {
  const begun = nowMs > 0 && rule.startMs < nowMs;
  return { rule, change, nodes: rule.nodes, begunMs: begun ? nowMs : Number.NEGATIVE_INFINITY };
}

export function copyWindows(state: WindowsState): WindowsState {
  return {
    ...state,
    windows: state.windows.map((window) => ({ ...window })),
    known: [...state.known],
  };
}

/** Takes in interventions up to now. True where there were some. */
function takeChanges(state: WindowsState, view: PoolView): boolean {
  const { changes } = view.world;
  let any = false;
  while (state.changesSeen < changes.length && changes[state.changesSeen]!.atMs <= view.nowMs) {
    const index = state.changesSeen++;
    const change = changes[index]!;
    if (change.kind === "reserve" && change.pool === view.pool) {
      const rule = windowOfReservation(view, change.reservation);
      state.windows = state.windows.filter((window) => window.rule.name !== rule.name);
      state.windows.push(openWindow(rule, index, 0));
      any = true;
    }
    if (change.kind === "unreserve" && change.pool === view.pool) {
      state.windows = state.windows.filter((window) => window.rule.name !== change.name);
      any = true;
    }
  }
  return any;
}

/** Brings what is known to now. True where something has changed. */
export function refreshWindows(state: WindowsState, view: PoolView): boolean {
  const changed = takeChanges(state, view);
  if (!changed && view.nowMs < state.untilMs) return false;
  state.known = [];
  state.untilMs = Number.POSITIVE_INFINITY;
  state.windows.forEach((window, index) => {
    state.untilMs = Math.min(state.untilMs, nextChangeMs(window.rule, view.nowMs));
    const occurrences = knownOccurrences(window.rule, view.nowMs);
    if (occurrences.length === 0) return;
    window.nodes ??= pickNodes(
      view,
      window.rule.nodeCount,
      occurrences[0]!.startMs,
      nodesInUse(state, occurrences[0]!.startMs, occurrences[0]!.endMs),
    );
    for (const { startMs, endMs } of occurrences) {
      const forNobody = isForNobody(window.rule);
      state.known.push({
        nodes: window.nodes,
        fromMs: startMs,
        toMs: endMs,
        forNobody,
        window: index,
      });
    }
  });
  return true;
}

/** Nodes that other windows have in the meantime. */
function nodesInUse({ known }: WindowsState, fromMs: number, toMs: number): Set<number> {
  return new Set(
    known.flatMap((stretch) =>
      stretch.fromMs < toMs && stretch.toMs > fromMs ? [...stretch.nodes] : [],
    ),
  );
}

function isForNobody(rule: WindowRule): boolean {
  const { kind, tiers, teams, queues, users = [] } = rule;
  const named = tiers.length + teams.length + queues.length + users.length;
  return kind === "maintenance" || named === 0;
}

/** Whether a job may use the nodes of a window while it holds. */
export function isAdmitted(view: PoolView, rule: WindowRule, jobIdx: number): boolean {
  if (isForNobody(rule)) return false;
  const { team, queue, user } = view.jobs.at;
  const names = (list: readonly number[], index: number) =>
    list.length === 0 || list.includes(index);
  return (
    names(rule.tiers, view.tierOfJob[jobIdx]!) &&
    names(rule.teams, team[jobIdx]!) &&
    names(rule.queues, queue[jobIdx]!) &&
    names(rule.users ?? [], user[jobIdx]!)
  );
}

/** Stretches that begin now and kill what runs there; each is given once. */
export function beginningNow(state: WindowsState, nowMs: number): Stretch[] {
  return state.known.filter((stretch) => {
    const window = state.windows[stretch.window]!;
    if (stretch.fromMs > nowMs || window.begunMs >= stretch.fromMs) return false;
    window.begunMs = stretch.fromMs;
    return window.rule.kill;
  });
}
