/**
 * The page's end of the worker: its life, the data port, and the run data that comes through it. It is the only writer of
 * `runData` and of `runStatus`.
 *
 * A change shows in one frame: until the first chunk of a new generation is here, panels keep the last good picture; then
 * stage, future and ghost are exchanged together. Chunks of older generations are acknowledged and dropped. A worker that dies
 * is started again and given the last document; what it had computed it computes again, to the same digest.
 */
import { type Remote, transfer, wrap } from "comlink";
import type {
  DataMessage,
  DocumentOutcome,
  GivenFile,
  LinkOutcome,
  OpenOutcome,
  ReadEntry,
  RunHost,
  SentOutcome,
  SlurmOutcome,
  Stage,
  TraceOutcome,
  YamlRead,
} from "../protocol/messages.ts";
import type { Scenario } from "../scenario/schema.ts";
import { FormerFutures } from "./formerFutures.ts";
import { type Incoming, incomingOf, type Shows } from "./incoming.ts";
import { type Future, runData } from "./runData.ts";
import { RunQuestions } from "./runQuestions.ts";
import { setStatus, statusOf } from "./runStatus.ts";
import type { DocumentRead } from "./sentWorkloads.ts";
import { joinStage } from "./stageParts.ts";
import type { RunStatus } from "./state.ts";
import { useApp } from "./store.ts";

export interface ClientHooks {
  /** A worker; called again after one died. */
  readonly spawn: () => Worker;
  /** A trace kept on this device, if any. */
  readonly findTrace: (sha256: string) => Promise<{ name: string; content: Blob } | null>;
  readonly onRestart: () => void;
  /** The run of the newest document is complete. */
  readonly onDone: (digest: string) => void;
}

const WATCH_EVERY_MS = 5_000;
/**
 * So many looks without a word from it: the worker is gone (a tab out of memory tells nobody). Looks are counted, not wall-clock
 * time, which jumps when a clock is set or a laptop wakes up.
 */
const SILENT_LOOKS_MOST = 12;
const RESTARTS_IN_A_ROW = 3;

export class WorkerClient extends RunQuestions {
  readonly #hooks: ClientHooks;
  #worker: Worker | null = null;
  #host: Remote<RunHost> | null = null;
  #port: MessagePort | null = null;
  #incoming: Incoming | null = null;
  readonly #former = new FormerFutures();
  /** The last stage that this worker made: the next one says what differs from it. */
  #staged: Stage | null = null;
  /** Messages of a generation whose `open` has not come back yet: port and comlink are two roads. */
  #early: DataMessage[] = [];
  #last: Scenario | null = null;
  /** The newest document that was asked for and not refused: what a new worker has to run. */
  #wanted: Scenario | null = null;
  /** The highest generation that was staged: what is older or equal and not shown is dropped, what is newer waits. */
  #newest = 0;
  #openSerial = 0;
  /** The serial of the document whose run comes in. */
  #stagedSerial = 0;
  #opening = 0;
  #openQueue: Promise<unknown> = Promise.resolve();
  #restarts = 0;
  /** The worker has said something since it was last looked after. */
  #heard = true;
  #silentLooks = 0;
  #reject = new Set<(reason: Error) => void>();
  readonly #idleWaiters: (() => void)[] = [];

  constructor(hooks: ClientHooks) {
    super();
    this.#hooks = hooks;
    setInterval(() => void this.#watch(), WATCH_EVERY_MS);
  }

  /** Has the worker come up before it is asked anything. */
  start(): void {
    this.#ready().catch(() => undefined);
  }
  /**
   * Runs a document. `editMs`: the time from which it differs from the last one, which becomes the ghost; `null` = another
   * scenario altogether. Resolves when it is staged or refused; opens follow each other in order.
   */
  open(scenario: Scenario, editMs: number | null, shows: Shows = "all"): Promise<OpenOutcome> {
    const serial = ++this.#openSerial;
    if (shows !== "nothing") this.#wanted = scenario;
    setStatus({ phase: "computing" });
    this.#opening += 1;
    const outcome = this.#openQueue
      .then(() => this.#open(scenario, editMs, serial, shows))
      // The worker died while it read the document: once more in a new one.
      .catch(() => this.#open(scenario, null, serial, shows))
      .finally(() => {
        this.#opening -= 1;
      });
    this.#openQueue = outcome.catch((error: unknown) => {
      this.#setFinal({
        phase: "failed",
        message: String(error instanceof Error ? error.message : error),
      });
    });
    return outcome;
  }

  /** Reads a scenario file in the worker: reading and checking one of megabytes would hold up the page. */
  readDocument = (file: Blob, most?: number): Promise<DocumentRead> =>
    this.workloads.read((...keys) =>
      this.ask<DocumentOutcome>((host) => host.readDocument(file, ...keys, most)),
    );

  readYaml = (text: string, withForm: boolean): Promise<YamlRead> =>
    this.ask((host) => host.readYaml(text, withForm));
  readLink = (text: string): Promise<LinkOutcome> =>
    this.ask<LinkOutcome>((host) => host.readLink(text));
  readEntry = (id: string): Promise<ReadEntry | null> => this.ask((host) => host.readEntry(id));
  async readSlurm(files: readonly GivenFile[], open: Scenario | null): Promise<SlurmOutcome> {
    const host = await this.#ready();
    const buffers = files.map((file) => file.bytes);
    return this.#call<SlurmOutcome>(host.readSlurm(transfer([...files], buffers), open));
  }

  /** The file is read in the worker too: a blob crosses as a name for its bytes. */
  addTrace(name: string, file: Blob): Promise<TraceOutcome> {
    return this.ask<TraceOutcome>((host) => host.addTrace(name, file));
  }

  async cancel(): Promise<void> {
    const host = await this.#ready();
    // A worker that dies over it is started again by `#died`.
    await this.#call(host.cancel()).catch(() => undefined);
  }

  async resume(): Promise<void> {
    const host = await this.#ready();
    setStatus({ phase: "computing" });
    await this.#call(host.resume()).catch(() => undefined);
  }

  /** Runs the present document again, in a new worker. */
  async retry(): Promise<void> {
    const wanted = this.#wanted;
    if (this.#worker) this.#died(this.#worker, false);
    this.#restarts = 0;
    if (wanted) await this.open(wanted, null).catch(() => undefined);
  }

  /** Resolves when nothing is computing. */
  settled(): Promise<void> {
    if (useApp.getState().runStatus.phase !== "computing") return Promise.resolve();
    return new Promise((resolve) => this.#idleWaiters.push(resolve));
  }

  /** The run that came in last, once it is complete; shown or not. */
  complete(): { readonly stage: Stage; readonly future: Future } | null {
    const incoming = this.#incoming;
    return incoming?.future.done ? { stage: incoming.stage, future: incoming.future } : null;
  }

  async #open(
    scenario: Scenario,
    editMs: number | null,
    serial: number,
    shows: Shows,
  ): Promise<OpenOutcome> {
    const host = await this.#ready();
    const send = () =>
      this.workloads.open(scenario, (...d) => this.#call<SentOutcome>(host.open(...d)));
    let outcome = await send();
    if (outcome.kind === "traceNeeded") {
      const kept = await this.#hooks.findTrace(outcome.sha256);
      if (kept) {
        await this.addTrace(kept.name, kept.content);
        outcome = await send();
      }
    }
    if (outcome.kind === "opened") {
      const stage = joinStage(outcome.stage, this.#staged);
      this.#staged = stage;
      this.#last = scenario;
      this.#stagedSerial = serial;
      this.#stage(scenario, stage, outcome, editMs, shows);
      return { ...outcome, stage };
    }
    if (outcome.kind === "traceNeeded") this.#incoming = null;
    if (serial === this.#openSerial) {
      if (outcome.kind === "problems") this.#wanted = this.#last;
      this.#setFinal(statusOf(outcome));
    }
    return outcome;
  }

  #stage(
    scenario: Scenario,
    stage: Stage,
    { keepChunks, again, keeps }: Extract<SentOutcome, { kind: "opened" }>,
    editMs: number | null,
    shows: Shows,
  ): void {
    const before = this.#incoming?.future;
    const whole = again === undefined ? null : this.#former.again(again);
    this.#former.leave(before, keeps ?? null);
    this.#newest = stage.generation;
    const chunks = before?.chunks.slice(0, keepChunks) ?? [];
    // Where every chunk is kept none may come: what is open at their end is what it was.
    const open = keepChunks > 0 && keepChunks === before?.chunks.length ? before.open : null;
    this.#incoming = incomingOf(scenario, stage, { chunks, open, ...whole }, editMs, shows);
    setStatus({ phase: "computing" });
    if (whole) this.#show(this.#incoming);
    const early = this.#early;
    this.#early = [];
    for (const message of early) this.#receive(message);
  }

  #receive(message: DataMessage): void {
    const generation =
      message.kind === "progress" ? message.progress.generation : message.generation;
    const incoming = this.#incoming;
    if (generation > this.#newest) {
      this.#early.push(message);
      return;
    }
    if (message.kind === "chunk") this.#port?.postMessage({ kind: "ack", generation });
    if (!incoming || generation < incoming.future.generation) return;
    switch (message.kind) {
      case "chunk": {
        const chunks = [...incoming.future.chunks.slice(0, message.index), message.chunk];
        const knownMs = message.chunk.toMs;
        const endMs = Math.max(incoming.future.endMs, knownMs);
        incoming.future = { ...incoming.future, chunks, open: message.open, knownMs, endMs };
        this.#show(incoming);
        return;
      }
      case "joined": {
        const { index, former, fromChunk } = message;
        incoming.future = this.#former.joined(incoming.future, index, former, fromChunk);
        this.#show(incoming);
        return;
      }
      case "progress": {
        const { endMs } = message.progress;
        if (Number.isFinite(endMs)) incoming.future = { ...incoming.future, endMs };
        runData.set({ progress: message.progress });
        if (message.progress.cancelled) {
          if (incoming.future.chunks.length > 0) this.#show(incoming);
          this.#runOver({ phase: "cancelled" });
        }
        return;
      }
      case "done":
        incoming.future = {
          ...incoming.future,
          done: true,
          digest: message.digest,
          endMs: message.endMs,
          refused: message.refused,
        };
        this.#restarts = 0;
        this.#show(incoming);
        if (incoming.shows !== "nothing") this.#hooks.onDone(message.digest);
        this.#runOver({ phase: "done" });
        return;
      case "failed":
        this.#runOver({ phase: "failed", message: message.message });
        return;
    }
  }

  #show(incoming: Incoming): void {
    if (incoming.shows === "nothing") return;
    if (incoming.shows === "whole" && !incoming.future.done) return;
    if (incoming.shown) {
      runData.set({ current: incoming.future });
      return;
    }
    incoming.shown = true;
    const { stage, future, ghost, ghostFromMs } = incoming;
    runData.set({ stage, current: future, ghost, ghostFromMs });
  }

  /** The run that comes in has ended; where a newer document waits for its turn, that one is what computes. */
  #runOver(status: RunStatus): void {
    if (this.#stagedSerial === this.#openSerial) this.#setFinal(status);
  }

  #setFinal(status: RunStatus): void {
    // A list of problems stays until it is read; the run behind it may end meanwhile.
    const { phase } = useApp.getState().runStatus;
    if (phase !== "problems" || status.phase === "failed") setStatus(status);
    for (const resolve of this.#idleWaiters.splice(0)) resolve();
  }

  async #ready(): Promise<Remote<RunHost>> {
    if (this.#host) return this.#host;
    const worker = this.#hooks.spawn();
    this.#worker = worker;
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#died(worker);
    });
    const host = wrap<RunHost>(worker);
    this.#host = host;
    const channel = new MessageChannel();
    this.#port = channel.port1;
    channel.port1.onmessage = (event: MessageEvent<DataMessage>) => {
      this.#heard = true;
      this.#receive(event.data);
    };
    this.#heard = true;
    await this.#call(host.connect(transfer(channel.port2, [channel.port2])));
    return host;
  }

  protected async ask<T>(ask: (host: Remote<RunHost>) => Promise<T>): Promise<T> {
    return this.#call<T>(ask(await this.#ready()));
  }

  /** Fails when the worker dies before it answers, instead of waiting for ever. */
  #call<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject.add(reject);
      answer.then(resolve, reject).finally(() => {
        this.#heard = true;
        this.#reject.delete(reject);
      });
    });
  }

  #died(worker: Worker, again = true): void {
    if (worker !== this.#worker) return;
    worker.terminate();
    this.#port?.close();
    this.#worker = null;
    this.#host = null;
    this.#port = null;
    this.#incoming = null;
    this.#staged = null;
    this.#former.clear();
    this.workloads.forget();
    this.#newest = 0;
    this.#early = [];
    const waiting = [...this.#reject];
    this.#reject.clear();
    for (const reject of waiting) reject(new Error("The simulation's worker stopped."));
    if (!again) return;
    this.#restarts += 1;
    const wanted = this.#wanted;
    if (this.#restarts > RESTARTS_IN_A_ROW) {
      this.#setFinal({
        phase: "failed",
        message: "The simulation stopped several times in a row.",
      });
    } else if (this.#opening > 0) {
      this.#hooks.onRestart();
    } else if (wanted) {
      this.#hooks.onRestart();
      void this.open(wanted, null).catch(() => undefined);
    } else {
      this.#setFinal({ phase: "failed", message: "The simulation could not be started." });
    }
  }

  /** A worker that was ended from outside raises no event: ask, and take silence for death. */
  async #watch(): Promise<void> {
    const worker = this.#worker;
    this.#silentLooks = this.#heard ? 0 : this.#silentLooks + 1;
    this.#heard = false;
    if (!worker || !this.#host || useApp.getState().runStatus.phase !== "computing") return;
    if (this.#silentLooks > SILENT_LOOKS_MOST) this.#died(worker);
    else if (this.#silentLooks > 0)
      await this.#call<unknown>(this.#host.explain(-1, 0)).catch(() => null);
  }
}
