/**
 * The start of the page, in order: theme, worker, then what to open: the link, else what this tab last had, else what the newest
 * closed tab had, else the first scenario of the library. A link that cannot be opened is explained and never takes the
 * place of work that is there.
 */
import type { Problem } from "../base/problem.ts";
import { err } from "../base/result.ts";
import { frameLoop } from "../render/frameLoop.ts";
import type { Scenario } from "../scenario/schema.ts";
import { claimSlot, save, saveViewNow } from "../store/autosave.ts";
import { branches } from "../store/branches.ts";
import { restoreClock } from "../store/clockShown.ts";
import { watchCurves } from "../store/curveChoice.ts";
import { traceContent } from "../store/database.ts";
import { readDevice, writeDevice } from "../store/device.ts";
import type { Doc, UrlStep } from "../store/documents.ts";
import {
  connectDocuments,
  currentView,
  keepHistory,
  openDocument,
  takeUpHistory,
} from "../store/documents.ts";
import { connectExplain } from "../store/explain.ts";
import { restoreFutures } from "../store/keptFutures.ts";
import { decodeLayout, enterLayout, useLayout } from "../store/layout.ts";
import { fetchLinkCode, linkCode } from "../store/linkCode.ts";
import { decodeMade, difference, type Made, madeFrom } from "../store/madeWith.ts";
import { notify } from "../store/notices.ts";
import { type PageName, pageIn } from "../store/pageInLink.ts";
import { prepareEdits } from "../store/prepareEdits.ts";
import { connectApi } from "../store/queuescopeApi.ts";
import { noteRecent } from "../store/recents.ts";
import { runData } from "../store/runData.ts";
import {
  closeDialog,
  showBanner,
  showDialog,
  showUnopened,
  useShell,
} from "../store/shellState.ts";
import { useApp } from "../store/store.ts";
import {
  arrivedAt,
  currentFragment,
  followNumbers,
  followView,
  linkParts,
  readMark,
  spareUrl,
  writeUrl,
  writeUrlSoon,
} from "../store/url.ts";
import { decodeView, type View } from "../store/viewCode.ts";
import { notePress, withoutStep } from "../store/viewSteps.ts";
import { WorkerClient } from "../store/workerClient.ts";
import { applyTheme } from "../theme/applyTheme.ts";
import { deliveredActions } from "./actions.ts";
import { defineCompareCommands } from "./commands/compare.ts";
import { defineDeviceCommands } from "./commands/device.ts";
import { defineEditCommands } from "./commands/edit.ts";
import { defineFileCommands } from "./commands/file.ts";
import { defineLeafCommands } from "./commands/leaves.ts";
import { definePlayCommands } from "./commands/play.ts";
import { defineViewCommands, THEME_KEY } from "./commands/view.ts";
import { commitCount, isRendering } from "./commitCounter.ts";
import { EMBEDS, embeddedPanels, keepToPanels } from "./embedded.ts";
import { connectFiles } from "./files.ts";
import { readFirst, readInWorker } from "./firstDocument.ts";
import { showOwnKeys } from "./keyBindings.ts";
import { listenToKeys } from "./keyMap.ts";
import { backToView, closeLayers, followOpenPage, watchLayers } from "./layers.ts";
import { runPageBench } from "./pageBench.ts";
import { noteLength } from "./tooLongNote.ts";

/** Resolves when the chunks that open later are here: from then on nothing needs the network. */
let prefetched: Promise<void> = Promise.resolve();

const SPEED_KEY = "queuescope.speed";
const SAVE_VIEW_AFTER_MS = 500;

/** The run that the opened link was made from; compared once, when its own is complete. */
let promised: Made | null = null;

export function restoreDevice(): void {
  const theme = readDevice(THEME_KEY);
  if (theme === "light" || theme === "dark") useApp.setState({ theme });
  const speed = Number(readDevice(SPEED_KEY) ?? "0");
  if (Number.isFinite(speed) && speed >= 0) useApp.setState({ speed });
  applyTheme(useApp.getState().theme);
  restoreClock();
  useApp.subscribe(
    (state) => state.speed,
    (value) => writeDevice(SPEED_KEY, String(value)),
  );
}

let client: WorkerClient;
/** The link that is being read. */
let reading: Promise<unknown> = Promise.resolve();

export async function boot(): Promise<void> {
  client = new WorkerClient({
    spawn: () =>
      new Worker(new URL("../worker/runWorker.ts", import.meta.url), {
        type: "module",
        name: "simulation",
      }),
    findTrace: traceContent,
    onRestart: () =>
      notify(
        "The simulation stopped unexpectedly and was started again. Nothing of your work is lost.",
      ),
    onDone,
  });
  client.start();
  useShell.setState({ opening: true });
  connectDocuments({ client, changed, refused });
  prepareEdits(client.prepare);
  connectExplain(client);
  connectFiles(client, (address) => openLink(address, "push"));
  let ready = (): void => undefined;
  const booted = new Promise<void>((resolve) => {
    ready = resolve;
  });
  connectApi({
    settled: async () => {
      await booted;
      await reading;
      await client.settled();
      await prefetched;
    },
    openLink: (address) => followLink(address, "push"),
    readDocument: client.readDocument,
    commits: commitCount,
    isRendering,
  });
  definePlayCommands();
  defineViewCommands();
  defineEditCommands();
  defineCompareCommands();
  defineFileCommands(client);
  defineLeafCommands();
  defineDeviceCommands();
  if (embeddedPanels(location.search).length > 0) keepToPanels();
  showOwnKeys(deliveredActions);
  listenToKeys();
  readMark();
  addEventListener("popstate", () => {
    const arrived = arrivedAt(history.state);
    if (arrived === "passed") return;
    const page = pageIn(location.href);
    if (arrived === "layer") closeLayers();
    else if (arrived && "view" in arrived) {
      if (page !== null && arrived.layer) showDialog({ kind: page });
      backToView(arrived.view, arrived.layer);
    } else {
      closeDialog();
      if (page !== null) showDialog({ kind: page });
      if (arrived) void openDocument(arrived.document, "Back", "none");
      else void followLink(location.href, "none");
    }
  });
  watchView();
  const page = pageIn(location.href);
  try {
    await openFirst();
    takeUpHistory();
    explainQuery(page);
  } finally {
    useShell.setState({ opening: false });
    ready();
    prefetched = firstPicture()
      .then(keepLink)
      .then(() => client.settled())
      .then(prefetch)
      .then(keepOffline);
    void client.settled().then(() => runPageBench(location.search));
  }
}

/** Resolves when the first bars are drawn, or nothing is coming. */
async function firstPicture(): Promise<void> {
  if (runData.get().current.chunks.length === 0)
    await Promise.race([
      client.settled(),
      new Promise<void>((resolve) => {
        const stop = runData.subscribe(() => {
          if (runData.get().current.chunks.length === 0) return;
          stop();
          resolve();
        });
      }),
    ]);
  await frameLoop.idle();
}

async function prefetch(): Promise<void> {
  await import("./prefetch.ts").then(
    ({ prefetchLater }) => prefetchLater(),
    // Then everything is fetched when it is asked for.
    () => undefined,
  );
}

/** Last of all, so that nothing waits for it. In a frame, or where frames are measured, nothing is stored. */
async function keepOffline(): Promise<void> {
  const query = new URLSearchParams(location.search);
  if (!import.meta.env.PROD || query.has("embed") || query.has("bench")) return;
  await import("./offline/pageOffline.ts").then(
    ({ startOffline }) => startOffline(),
    () => undefined,
  );
}

/** From here on the address follows. Without its code the page works, only the address stands still. */
async function keepLink(): Promise<void> {
  const code = await fetchLinkCode().catch(() => null);
  if (!code) return;
  writeLink("replace");
  followOpenPage();
}

async function openFirst(): Promise<void> {
  const slot = await claimSlot();
  // On a later visit the code is at hand, and the slot needs what the library says of it.
  if (slot) await fetchLinkCode().catch(() => null);
  const linked = linkParts(location.href).s !== null;
  if (linked && (await openLink(location.href, "replace"))) return;
  const kept: Doc | null = slot && {
    scenario: slot.scenario,
    baseId: slot.baseId,
    view: slot.view,
  };
  if (kept && (await openDocument(kept, "Restored", "replace"))) return;
  const first = await readFirst(client);
  if (first) await openDocument(first, "Open", "replace");
}

/** Opens a link. False when it holds no scenario that can be opened; the present work then stays. */
export async function openLink(address: string, step: UrlStep): Promise<boolean> {
  const { s, d, w, y, k } = linkParts(address);
  const code = linkCode();
  const decoded =
    s === null
      ? err([NO_SCENARIO])
      : code
        ? code.codec.decodeScenario(s, code.library.libraryScenario)
        : await readInWorker(client, s);
  if (!decoded.ok) {
    explainLink(decoded.error);
    if (useApp.getState().scenario) writeUrl("replace");
    return false;
  }
  promised = d === null ? null : decodeMade(d);
  const view = w === null ? null : decodeView(w);
  const layout = y === null ? null : decodeLayout(y);
  if (layout) enterLayout(layout);
  else useLayout.setState({ inLink: false });
  const { scenario, baseId } = decoded.value;
  const opened = await openDocument({ scenario, baseId, view }, "Open link", step);
  if (opened && k !== null && branches.get().length === 0)
    void restoreFutures(client, k).then(() => compareAgain(view, scenario));
  return opened;
}

/** A link that compared goes on comparing once its futures are here; not where the reader has turned to something else. */
function compareAgain(view: View | null, scenario: Scenario): void {
  const { scenario: shown, side } = useApp.getState();
  if (view?.panels?.comparing !== true || shown !== scenario || side !== "inspector") return;
  if (branches.get().length > 0) withoutStep(() => useApp.setState({ comparing: true }));
}

/** Opens a link, and the page is not at rest meanwhile. */
function followLink(address: string, step: UrlStep): Promise<boolean> {
  const opened = openLink(address, step);
  reading = opened.catch(() => undefined);
  return opened;
}

const BENCHES = ["gantt", "page"];

/** A misspelt query would otherwise show the whole page without a word. `page`: what the link leads to over the sheet. */
function explainQuery(page: PageName | null): void {
  const query = new URLSearchParams(location.search);
  const embed = query.get("embed");
  const bench = query.get("bench");
  if (page !== null) showDialog({ kind: page });
  if (query.has("present")) useShell.setState({ presenting: true });
  const unknown = embed?.split(",").find((name) => !EMBEDS.some((one) => one === name));
  if (unknown !== undefined)
    showBanner("note", `There is no panel "${unknown}" to embed.`, `Use ${EMBEDS.join(", ")}.`);
  else if (bench !== null && !BENCHES.includes(bench))
    showBanner("note", `There is no bench "${bench}".`, `Use ${BENCHES.join(", ")}.`);
}

const NO_SCENARIO: Problem = {
  place: "link",
  message: "The address holds no scenario.",
  remedy:
    "The work on this page stays. A document that is too long for a link is found with Undo until the page is loaded anew.",
};

function explainLink(problems: readonly Problem[]): void {
  const [first] = problems;
  showUnopened(`The link could not be opened. ${first?.message ?? ""}`, first?.remedy ?? "");
}

function changed(step: UrlStep): void {
  writeLink(step);
  nameTab();
  saveNow();
}

function writeLink(step: UrlStep): void {
  writeUrl(step);
  noteLength(currentFragment() === null);
}

function nameTab(): void {
  const { scenario } = useApp.getState();
  document.title = scenario ? `${scenario.title} · Queuescope` : "Queuescope";
}

function refused(step: UrlStep): void {
  if (step === "push") spareUrl();
  else writeUrl("replace");
  nameTab();
  saveNow();
}

function onDone(): void {
  const { stage, current } = runData.get();
  const made = promised;
  promised = null;
  writeUrlSoon();
  if (made === null || stage === null || difference(made, madeFrom(current)) === null) return;
  const tell = (): void => {
    const words = difference(made, madeFrom(current));
    if (words) useShell.setState({ banner: { kind: "note", ...words, ofOpening: true } });
  };
  tell();
  void import("../store/runNumbers.ts").then(({ computeMetrics }) =>
    computeMetrics(stage, current, tell),
  );
}

let saveTimer: ReturnType<typeof setTimeout> | undefined;

function saveNow(): void {
  clearTimeout(saveTimer);
  const { scenario, baseId } = useApp.getState();
  if (scenario)
    void save({ scenario, baseId, view: currentView() }, (text) =>
      showBanner("error", "This device does not keep your work.", text),
    );
  if (scenario) noteRecent(scenario, baseId, currentView());
}

/** What the link says of the view; and `playing`, so that a pause is written. */
const VIEWED = [
  "cursorMs",
  "window",
  "selection",
  "playing",
  "drawer",
  "comparing",
  "leafLevels",
  "grouping",
  "range",
  "bookmarks",
] as const;

/** Camera, cursor and selection go into the link and the autosave after a quiet moment; while playing, at the pause. */
function watchView(): void {
  // Before anybody else hears of it: what a press does belongs to it.
  for (const event of ["keydown", "pointerdown"])
    addEventListener(event, notePress, { capture: true, passive: true });
  useApp.subscribe(
    (state) => state,
    (now, before) => {
      followView(now, before);
      if (now.playing) return;
      clearTimeout(saveTimer);
      saveTimer = setTimeout(saveNow, SAVE_VIEW_AFTER_MS);
    },
    { equalityFn: (a, b) => VIEWED.every((key) => a[key] === b[key]) },
  );
  useLayout.subscribe(writeUrlSoon);
  watchCurves(writeUrlSoon);
  branches.subscribe(writeUrlSoon);
  followNumbers();
  watchLayers();
  addEventListener("pagehide", () => {
    saveViewNow(currentView());
    keepHistory();
  });
}
