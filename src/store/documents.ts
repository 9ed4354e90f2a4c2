/**
 * The one way a document changes: user → new scenario → worker → history, link, autosave. A scenario that the worker refuses
 * changes nothing: the former one stays, with its run, and the problems are shown. Nothing here mutates a scenario.
 */
import type { Stage } from "../protocol/messages.ts";
import { firstDifferenceMs } from "../scenario/interventions.ts";
import type { Scenario } from "../scenario/schema.ts";
import { busiestMs } from "../timeline/busiest.ts";
import type { TimeWindow } from "../timeline/viewport.ts";
import { type Branch, branches } from "./branches.ts";
import { fitAll, jobIdxOf, timeBounds } from "./camera.ts";
import type { History } from "./history.ts";
import { emptyHistory, pushed, redone, replaced, undone } from "./history.ts";
import { packHistory, readKept, unpackHistory, writeKept } from "./keptHistory.ts";
import { notify } from "./notices.ts";
import { EMPTY_FUTURE, runData } from "./runData.ts";
import { useShell } from "./shellState.ts";
import type { AppState } from "./state.ts";
import { useApp } from "./store.ts";
import { beginWork } from "./underway.ts";
import { panelsOf, type View } from "./viewCode.ts";
import { withoutStep } from "./viewSteps.ts";
import type { WorkerClient } from "./workerClient.ts";

export interface Doc {
  readonly scenario: Scenario;
  readonly baseId: string | null;
  /** `null`: not chosen yet; the whole run is shown once it is known. */
  readonly view: View | null;
  /** Where a document without a view opens: time, and the id of a job. */
  readonly first?: { readonly cursorMs: number; readonly select?: string };
}

export type UrlStep = "push" | "replace" | "none";

export interface DocumentHooks {
  readonly client: WorkerClient;
  /** Writes link and autosave after a change of the document. */
  readonly changed: (step: UrlStep) => void;
  /** Takes `changed` back: the former document is in the store again. */
  readonly refused: (step: UrlStep) => void;
}

let hooks: DocumentHooks | null = null;
let history: History<Doc> = emptyHistory();
/** Where the last document that was taken stands: the place to go back to when later ones are refused. */
let accepted: History<Doc> = emptyHistory();

export function connectDocuments(given: DocumentHooks): void {
  hooks = given;
}

export function currentView(): View {
  return viewOf(useApp.getState());
}

export function viewOf(state: AppState): View {
  const { cursorMs, window, selection } = state;
  const panels = panelsOf(state);
  return { cursorMs, window, selection, ...(panels && { panels }) };
}

/** Opens another scenario. `label` names the step for Undo. Resolves to false when it was refused; one that waits for its trace is open. */
export async function openDocument(
  doc: Doc,
  label: string,
  step: UrlStep = "push",
): Promise<boolean> {
  const { scenario } = useApp.getState();
  const other = !scenario || firstDifferenceMs(scenario, doc.scenario) === "base";
  const told = useShell.getState().banner;
  const opened = await apply(doc, step, (before) => pushed(before, { document: doc, label }));
  if (opened && other) leaveBranches(scenario);
  // At the start of the page the message is of the link in whose place this opened.
  const old = told?.ofOpening === true && useShell.getState().banner === told;
  if (opened && old && step !== "replace") useShell.setState({ banner: null });
  return opened;
}

/** Futures kept of scenarios that were left, newest first: Undo and Redo bring them back with these. */
let leftBranches: readonly { readonly of: Scenario; readonly kept: readonly Branch[] }[] = [];
const LEFT_MOST = 4;

/** What was kept of another scenario is nothing to compare with. */
function leaveBranches(left: Scenario | null): void {
  const kept = branches.get();
  if (left && kept.length > 0)
    leftBranches = [{ of: left, kept }, ...leftBranches].slice(0, LEFT_MOST);
  branches.clear();
  withoutStep(() => useApp.setState({ comparing: false }));
}

/** The history has stepped from one scenario to another: each has its own kept futures. */
function exchangeBranches(left: Scenario | null, now: Scenario): void {
  if (left && firstDifferenceMs(left, now) !== "base") return;
  leaveBranches(left);
  const found = leftBranches.find(({ of }) => firstDifferenceMs(of, now) !== "base");
  for (const branch of found?.kept ?? []) branches.keep(branch);
  leftBranches = leftBranches.filter((one) => one !== found);
}

/** Changes the scenario that is open. The view stays. `ghostOf`: the number of the change that is made or edited, for what is told of before and now. */
export function editDocument(scenario: Scenario, label: string, ghostOf = 0): Promise<boolean> {
  const { baseId } = useApp.getState();
  const doc: Doc = { scenario, baseId, view: currentView() };
  return apply(doc, "push", (before) => pushed(before, { document: doc, label }), ghostOf);
}

/** Runs the present document again: what it waited for is here now. */
export function reopenDocument(): Promise<boolean> {
  const present = history.present?.document;
  if (!present) return Promise.resolve(false);
  return apply(present, "replace", (before) => before);
}

/** Documents of steps that a reload has brought over: not looked at yet. */
const unread = new WeakSet<Doc>();

/** Keeps the steps of Undo in the tab while the page goes away. */
export function keepHistory(): void {
  writeKept(packHistory(withView(history)));
}

/** Takes up the steps that were kept, where the document that is open is still the one they lead to. */
export function takeUpHistory(): void {
  const { present } = history;
  if (!present) return;
  const found = unpackHistory(readKept(), present.document.scenario);
  if (!found?.present || history.past.length + history.future.length > 0) return;
  for (const { document } of [...found.past, ...found.future]) unread.add(document);
  history = { ...found, present: { ...present, label: found.present.label } };
  accepted = history;
  tellHistory();
}

/** Whether the document of a step is one that this version can show. */
async function isReadable(document: Doc): Promise<boolean> {
  const tell = beginWork();
  const read = await import("../scenario/read.ts").catch(() => null);
  // The step itself begins before that.
  setTimeout(tell, 0);
  if (read?.readScenario(document.scenario).ok !== true) {
    notify("That step cannot be brought back: it is of another version.");
    return false;
  }
  unread.delete(document);
  return true;
}

export async function undo(): Promise<void> {
  const label = history.present?.label ?? "";
  const target = undone(withView(history));
  if (!target?.present) return;
  // Steps in quick succession follow each other at once: only what is not looked at yet waits.
  const { document } = target.present;
  if (unread.has(document) && !(await isReadable(document))) return;
  const { scenario } = useApp.getState();
  if (!(await apply(target.present.document, "push", () => target))) return;
  exchangeBranches(scenario, target.present.document.scenario);
  notify(`Undone: ${label}`);
}

export async function redo(): Promise<void> {
  const target = redone(withView(history));
  if (!target?.present) return;
  const { document } = target.present;
  if (unread.has(document) && !(await isReadable(document))) return;
  const { scenario } = useApp.getState();
  if (!(await apply(target.present.document, "push", () => target))) return;
  exchangeBranches(scenario, target.present.document.scenario);
  notify(`Done again: ${target.present.label}`);
}

async function apply(
  doc: Doc,
  step: UrlStep,
  next: (before: History<Doc>) => History<Doc>,
  ghostOf = 0,
): Promise<boolean> {
  if (!hooks) return false;
  const before = useApp.getState();
  const difference = before.scenario ? firstDifferenceMs(before.scenario, doc.scenario) : "base";
  const editMs = difference === "base" ? null : difference;
  const leaving = withView(history);
  const fresh = editMs === null || runData.get().stage === null;
  useShell.setState({ ghostOf });
  enter(doc, editMs !== null && (doc.view === null || step === "push"));
  // History, link and autosave first: the next step may come before the worker's answer and builds on this one, and a tab that
  // is closed meanwhile comes back to this document.
  const stands = next(editMs === null ? leaving : history);
  history = stands;
  tellHistory();
  hooks.changed(step);
  const outcome = await hooks.client.open(doc.scenario, editMs).catch(() => null);
  if (outcome?.kind === "problems") {
    // A newer step that still waits decides for itself.
    if (history !== stands) return false;
    history = accepted;
    tellHistory();
    const good = accepted.present?.document;
    if (good) {
      enter({ ...good, view: before }, editMs !== null);
      hooks.refused(step);
    }
    return false;
  }
  if (outcome !== null) accepted = stands;
  if (outcome?.kind === "traceNeeded")
    runData.set({ stage: null, current: EMPTY_FUTURE, ghost: null });
  if (outcome?.kind === "opened" && doc.view === null && fresh) firstLook(doc, outcome.stage);
  return outcome !== null;
}

/** Puts a document into the store. An edit keeps the view that is shown. */
function enter(doc: Doc, keepView: boolean): void {
  const { scenario, baseId } = doc;
  if (keepView) {
    useApp.setState({ scenario, baseId });
    return;
  }
  const view = doc.view ?? {
    cursorMs: 0,
    window: { fromMs: 0, toMs: 86_400_000 },
    selection: null,
  };
  useApp.setState({
    scenario,
    baseId,
    cursorMs: view.cursorMs,
    window: view.window,
    selection: view.selection,
    hover: null,
    range: doc.view?.panels?.range ?? null,
    bookmarks: doc.view?.panels?.bookmarks ?? [],
    playing: false,
    // What opens without a view says nothing of the drawer.
    ...(doc.view && { drawer: doc.view.panels?.drawer ?? "none", comparing: compares(doc.view) }),
    leafLevels: doc.view?.panels?.leafLevels ?? {},
    grouping: doc.view?.panels?.grouping ?? "leaf",
    side: "inspector",
    search: "",
  });
}

/** Shows another view of the document that stands: its own bookmarks stay, because they are work and no place; with `keepsSide` an editor stays open. */
export function enterView(view: View, keepsSide = false): void {
  const { panels } = view;
  const drawer = panels?.drawer ?? "none";
  if (drawer === "none" && useShell.getState().full === "drawer") useShell.setState({ full: null });
  withoutStep(() =>
    useApp.setState({
      cursorMs: view.cursorMs,
      window: view.window,
      selection: view.selection,
      hover: null,
      range: panels?.range ?? null,
      playing: false,
      drawer,
      comparing: compares(view),
      leafLevels: panels?.leafLevels ?? {},
      grouping: panels?.grouping ?? "leaf",
      ...(!keepsSide && { side: "inspector" }),
    }),
  );
}

/** Futures are compared only where some are kept. */
function compares({ panels }: View): boolean {
  return panels?.comparing === true && branches.get().length > 0;
}

/**
 * A scenario without a view: the cursor stands in the first quarter of its submissions until the run is known, then where most
 * jobs wait, and the window grows to the whole run; unless the user has taken hold of either by then.
 */
function firstLook({ scenario, first }: Doc, staged: Stage): void {
  let placed: TimeWindow | null = null;
  let placedMs = 0;
  /** True when there is nothing left to do. */
  const look = (): boolean => {
    if (useApp.getState().scenario !== scenario) return true;
    const { stage, current } = runData.get();
    // Until the first chunk is here the run data are those of the scenario before.
    if (stage !== staged) return false;
    if (placed !== null && useApp.getState().window !== placed) return true;
    const untouched = placed === null || isUntouched(placedMs);
    if (placed === null) {
      const lastMs = stage.jobs.at.submitMs[stage.jobs.count - 1] ?? 0;
      placedMs = first?.cursorMs ?? Math.round(Math.min(lastMs, scenario.horizonMs ?? lastMs) / 4);
      const jobIdx = first?.select === undefined ? -1 : jobIdxOf(first.select);
      placed = { fromMs: 0, toMs: Math.max(lastMs, timeBounds().toMs) };
      const selection = jobIdx < 0 ? null : ({ kind: "job", jobIdx } as const);
      const window = placed;
      withoutStep(() => useApp.setState({ cursorMs: placedMs, selection, window }));
    }
    if (current.done) {
      fitAll();
      const busyMs = first ? null : busiestMs(current.chunks);
      if (untouched && busyMs !== null) useApp.setState({ cursorMs: busyMs });
    }
    return current.done;
  };
  if (look()) return;
  const stop = runData.subscribe(() => {
    if (look()) stop();
  });
}

/** Nobody has moved the cursor, played, selected or opened an editor since it was placed. */
function isUntouched(placedMs: number): boolean {
  const { cursorMs, playing, selection, side } = useApp.getState();
  return cursorMs === placedMs && !playing && selection === null && side === "inspector";
}

/** Puts away the list of problems; the run that is shown goes on counting. */
export function dismissProblems(): void {
  const { current, stage } = runData.get();
  useApp.setState({ runStatus: { phase: current.done ? "done" : stage ? "cancelled" : "empty" } });
}

function withView(from: History<Doc>): History<Doc> {
  const present = from.present?.document;
  return present ? replaced(from, { ...present, view: currentView() }) : from;
}

function tellHistory(): void {
  const canUndo = history.past.length > 0;
  useShell.setState({
    undoLabel: canUndo ? (history.present?.label ?? "") : null,
    redoLabel: history.future[0]?.label ?? null,
  });
}
