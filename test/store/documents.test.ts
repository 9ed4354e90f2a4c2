import { beforeEach, expect, test } from "vitest";
import type { OpenOutcome, Stage } from "../../src/protocol/messages.ts";
import { readScenario } from "../../src/scenario/read.ts";
import type { Scenario } from "../../src/scenario/schema.ts";
import { branches } from "../../src/store/branches.ts";
import type { UrlStep } from "../../src/store/documents.ts";
import {
  connectDocuments,
  editDocument,
  openDocument,
  redo,
  undo,
} from "../../src/store/documents.ts";
import { EMPTY_FUTURE } from "../../src/store/runData.ts";
import { showBanner, showUnopened, useShell } from "../../src/store/shellState.ts";
import { useApp } from "../../src/store/store.ts";
import type { WorkerClient } from "../../src/store/workerClient.ts";

function scenario(title: string, drainAtMs?: number): Scenario {
  const read = readScenario({
    version: 1,
    title,
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 8 }] },
    workload: { jobs: [{ id: "a", submitMs: 0, gpus: 1, workMs: 1_000 }] },
    interventions: drainAtMs === undefined ? [] : [{ kind: "cancel", atMs: drainAtMs, job: "a" }],
  });
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

const opened: { title: string; editMs: number | null }[] = [];
const urls: UrlStep[] = [];
let refuse = false;
const client = {
  open: (document: Scenario, editMs: number | null): Promise<OpenOutcome> => {
    opened.push({ title: document.title, editMs });
    if (refuse) return Promise.resolve({ kind: "problems", problems: [] });
    return Promise.resolve({ kind: "traceNeeded", name: "", sha256: "", bytes: 0 });
  },
} as unknown as WorkerClient;

beforeEach(() => {
  opened.length = 0;
  urls.length = 0;
  refuse = false;
  connectDocuments({
    client,
    changed: (step) => urls.push(step),
    refused: () => urls.push("none"),
  });
});

const view = { cursorMs: 5, window: { fromMs: 0, toMs: 10_000 }, selection: null };

test("an edit keeps cursor and window and tells the worker from when on the run differs", async () => {
  await openDocument({ scenario: scenario("A"), baseId: null, view }, "Open A");
  useApp.setState({ cursorMs: 700 });
  await editDocument(scenario("A", 600), "Cancel a");
  expect(opened.at(-1)).toEqual({ title: "A", editMs: 600 });
  expect(useApp.getState().cursorMs).toBe(700);
  expect(useShell.getState().undoLabel).toBe("Cancel a");
  await undo();
  expect(useApp.getState().scenario?.interventions).toEqual([]);
  expect(useShell.getState().redoLabel).toBe("Cancel a");
  await redo();
  expect(useApp.getState().scenario?.interventions).toHaveLength(1);
});

test("undoing the opening of another scenario brings back its view", async () => {
  await openDocument({ scenario: scenario("A"), baseId: null, view }, "Open A");
  useApp.setState({ cursorMs: 333 });
  const other = scenario("B");
  await openDocument(
    { scenario: { ...other, seed: 7 }, baseId: "b", view: { ...view, cursorMs: 9 } },
    "Open B",
  );
  expect(useApp.getState()).toMatchObject({ cursorMs: 9, baseId: "b" });
  expect(opened.at(-1)?.editMs).toBeNull();
  await undo();
  expect(useApp.getState()).toMatchObject({ cursorMs: 333, baseId: null });
});

test("a refused edit leaves document, view and history as they were, and takes its link back", async () => {
  const good = scenario("A");
  await openDocument({ scenario: good, baseId: null, view }, "Open A");
  const label = useShell.getState().undoLabel;
  useApp.setState({ cursorMs: 444 });
  refuse = true;
  urls.length = 0;
  expect(await editDocument(scenario("A", 100), "Bad edit")).toBe(false);
  expect(useApp.getState().scenario).toBe(good);
  expect(useApp.getState().cursorMs).toBe(444);
  expect(useShell.getState().undoLabel).toBe(label);
  expect(urls).toEqual(["push", "none"]);
});

test("steps that come before the worker has answered are steps of their own", async () => {
  await openDocument({ scenario: scenario("A"), baseId: null, view }, "Open A");
  await Promise.all([
    openDocument({ scenario: scenario("B"), baseId: null, view }, "Open B"),
    openDocument({ scenario: scenario("C"), baseId: null, view }, "Open C"),
  ]);
  await Promise.all([undo(), undo()]);
  expect(useApp.getState().scenario?.title).toBe("A");
  await Promise.all([redo(), redo()]);
  expect(useApp.getState().scenario?.title).toBe("C");
});

test("of two hasty edits that are both refused, neither is left in the page", async () => {
  const good = scenario("A");
  await openDocument({ scenario: good, baseId: null, view }, "Open A");
  const label = useShell.getState().undoLabel;
  refuse = true;
  expect(
    await Promise.all([
      editDocument(scenario("A", 100), "Bad edit"),
      editDocument(scenario("A", 200), "Worse edit"),
    ]),
  ).toEqual([false, false]);
  expect(useApp.getState().scenario).toBe(good);
  expect(useShell.getState().undoLabel).toBe(label);
});

test("that something could not be opened is no longer told once something is; what else is told stays", async () => {
  showUnopened("The file is empty.", "");
  await openDocument({ scenario: scenario("A"), baseId: null, view }, "At the start", "replace");
  expect(useShell.getState().banner?.title).toBe("The file is empty.");
  refuse = true;
  await openDocument({ scenario: scenario("B"), baseId: null, view }, "Open B");
  expect(useShell.getState().banner?.title).toBe("The file is empty.");
  refuse = false;
  await openDocument({ scenario: scenario("C"), baseId: null, view }, "Open C");
  expect(useShell.getState().banner).toBeNull();
  showBanner("error", "This device does not keep your work.");
  await openDocument({ scenario: scenario("D"), baseId: null, view }, "Open D");
  expect(useShell.getState().banner).not.toBeNull();
});

test("futures that were kept come back when the opening of another scenario is undone", async () => {
  const first = scenario("A");
  await openDocument({ scenario: first, baseId: null, view }, "Open A");
  const future = { ...EMPTY_FUTURE, scenario: first, done: true, digest: "of A" };
  branches.keep({ scenario: first, stage: {} as Stage, future });
  const other = { ...scenario("B"), seed: 77 };
  await openDocument({ scenario: other, baseId: null, view }, "Open B");
  expect(branches.get()).toEqual([]);
  await undo();
  expect(branches.get().map((kept) => kept.future.digest)).toEqual(["of A"]);
  await redo();
  expect(branches.get()).toEqual([]);
  await undo();
  expect(branches.get()).toHaveLength(1);
  branches.clear();
});
