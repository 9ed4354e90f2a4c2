/**
 * `window.queuescope`: what tests and embedding pages may call. Its names are stable. Nothing inside the
 * project uses it.
 */

import { LIMITS } from "../model/limits.ts";
import { type FrameLog, frameLoop } from "../render/frameLoop.ts";
import { jobIdxOf } from "./camera.ts";
import { openDocument } from "./documents.ts";
import { fileOfDocument, isLarge } from "./largeDocuments.ts";
import { fetchLinkCode, linkCode } from "./linkCode.ts";
import { runData } from "./runData.ts";
import type { JobRun } from "./schedule.ts";
import { scheduleOf } from "./schedule.ts";
import type { DocumentRead } from "./sentWorkloads.ts";
import { showProblems } from "./shellState.ts";
import { useApp } from "./store.ts";
import { seek } from "./transport.ts";
import { isUnderway, workDone } from "./underway.ts";
import { flushUrl } from "./url.ts";
import { showNewest } from "./useRun.ts";

export interface QueuescopeApi {
  /** Resolves when nothing is computing, nothing is on its way to the screen, nothing is left to render or to draw, and the link is written. */
  idle(): Promise<void>;
  digest(): string;
  scenario(): object;
  /** A scenario, or a link. Rejects when it cannot be opened. */
  open(what: object | string): Promise<void>;
  /** Simulated ms. */
  seek(atMs: number): void;
  select(jobId: string): void;
  /** The runs of all jobs, in order of their numbers; a job that never ran has one row without times. */
  schedule(): readonly JobRun[];
  /** React commits since the page was loaded. */
  readonly commits: number;
  /** Frames drawn so far, and what a `?bench=` run leaves. */
  readonly bench: {
    readonly frames: number;
    readonly costsMs: readonly number[];
    readonly painters: FrameLog["painters"];
    /** Null until a `?bench=` run is over. */
    readonly result: object | null;
    /** `?bench=page`: movements for a measuring program to drive frame by frame. */
    readonly script: BenchScript | null;
    clear(): void;
  };
}

/** Movements over the run that is open. */
export interface BenchScript {
  readonly movements: readonly string[];
  /** Shows a movement at a share of its way; resolves when it is drawn. */
  show(movement: string, share: number): Promise<void>;
  /** Levels of detail: 40 nodes open, a pixel a device, every row a strip. */
  camera(name: "near" | "middle" | "far"): void;
  /** Shows this stretch of time. */
  look(fromMs: number, toMs: number): void;
  /** The open scenario with these changes, as an editor makes them. */
  edit(interventions: readonly object[]): Promise<boolean>;
}

export interface ApiHooks {
  readonly settled: () => Promise<void>;
  readonly openLink: (address: string) => Promise<boolean>;
  readonly readDocument: (file: Blob, most: number) => Promise<DocumentRead>;
  readonly commits: () => number;
  /** React has something to render. */
  readonly isRendering: () => boolean;
}

let benchResult: object | null = null;
let benchScript: BenchScript | null = null;

/** Hands over what a `?bench=` run measured. */
export function setBenchResult(result: object): void {
  benchResult = result;
}

/** Offers movements to a measuring program. */
export function setBenchScript(script: BenchScript): void {
  benchScript = script;
}

/** Puts the object on `window`. Called once, at start. */
export function connectApi(hooks: ApiHooks): void {
  const api: QueuescopeApi = {
    idle: async () => {
      await atRest(hooks);
      flushUrl();
    },
    digest: () => runData.get().current.digest,
    scenario: () => structuredClone(useApp.getState().scenario ?? {}),
    open: async (what) => {
      const opened =
        typeof what === "string" ? await hooks.openLink(what) : await openObject(what, hooks);
      if (!opened) throw new Error("The scenario could not be opened.");
    },
    // Callers are scripts: what is no time moves nothing.
    seek: (atMs) => {
      if (Number.isFinite(atMs)) seek(atMs);
    },
    select: (jobId) => {
      const jobIdx = jobIdxOf(jobId);
      if (jobIdx >= 0) useApp.setState({ selection: { kind: "job", jobIdx } });
    },
    schedule: scheduleOf,
    get commits() {
      return hooks.commits();
    },
    get bench() {
      const clear = () => frameLoop.clearLog();
      return { ...frameLoop.log(), result: benchResult, script: benchScript, clear };
    },
  };
  Object.assign(window, { queuescope: api });
}

/** One thing leads to another (a result is rendered, a new size is drawn): the page rests when a whole round brings nothing new. */
async function atRest({ settled, commits, isRendering }: ApiHooks): Promise<void> {
  let committed: number;
  do {
    committed = commits();
    await settled();
    await frameLoop.idle();
    showNewest();
    await workDone();
    await rendered(isRendering);
    // A commit may have moved a canvas: it hears of its new size in the next frame.
    if (commits() !== committed) await nextFrame();
    await frameLoop.idle();
  } while (isUnderway() || isRendering() || commits() !== committed);
}

const LOOK_EVERY_MS = 5;

/** React renders in turns of its own, and effects run a turn after that. */
async function rendered(isRendering: () => boolean): Promise<void> {
  for (let quietTurns = 0; quietTurns < 2; ) {
    if (isRendering()) {
      quietTurns = 0;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    } else {
      quietTurns += 1;
      await turn();
    }
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

async function nextFrame(): Promise<void> {
  await new Promise(requestAnimationFrame);
  await turn();
}

async function openObject(what: object, { readDocument }: ApiHooks): Promise<boolean> {
  const read = isLarge(what)
    ? await readDocument(await fileOfDocument(what), LIMITS.traceBytes)
    : await checkedHere(what);
  if (read.kind === "problems") {
    const { problems } = read;
    showProblems("The scenario cannot be opened; nothing was changed.", problems);
    throw new Error(problems.map((problem) => `${problem.place}: ${problem.message}`).join("\n"));
  }
  return openDocument({ scenario: read.scenario, baseId: null, view: null }, "Open");
}

/** At once where it can be: who reloads right after finds the document. */
async function checkedHere(what: object): Promise<DocumentRead> {
  const { reader } = linkCode() ?? (await fetchLinkCode());
  const read = reader.readScenario(what);
  return read.ok
    ? { kind: "read", scenario: read.value, guessed: false }
    : { kind: "problems", problems: read.error };
}
