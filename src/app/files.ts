/**
 * Files from outside: dropped on the page or chosen. A scenario is read in the worker and opens at once; a trace is read in the worker, kept on this device
 * by its content, and shown in a dialog before it runs, except when the open scenario has asked for exactly this file. Files of a Slurm cluster are
 * taken together. What is given last wins: a file that is still being read when another comes opens nothing any more.
 */
import { asUtf8 } from "../formats/text.ts";
import { LIMITS } from "../model/limits.ts";
import { putTrace } from "../store/database.ts";
import { openDocument, reopenDocument } from "../store/documents.ts";
import { notify } from "../store/notices.ts";
import {
  closeDialog,
  showBanner,
  showDialog,
  showProblems,
  showUnopened,
  useShell,
} from "../store/shellState.ts";
import { useApp } from "../store/store.ts";
import { beginWork } from "../store/underway.ts";
import type { WorkerClient } from "../store/workerClient.ts";
import { focusOpened } from "./layers.ts";

let client: WorkerClient | null = null;

/** Opens the link that a picture holds. */
let openLink: (address: string) => Promise<boolean> = () => Promise.resolve(false);

export function connectFiles(given: WorkerClient, opensLink: typeof openLink): void {
  client = given;
  openLink = opensLink;
}

/** Held until it answers: an element that nothing holds may be collected while the browser's dialog is open, and its answer with it. */
let asking: HTMLInputElement | null = null;

/** Asks for files with the browser's own dialog. */
export function pickFiles(): void {
  const input = document.createElement("input");
  asking = input;
  input.type = "file";
  input.multiple = true;
  input.addEventListener("change", () => {
    if (asking === input) asking = null;
    void takeFiles([...(input.files ?? [])]);
  });
  input.click();
}

/** No file of a Slurm cluster is called like this. */
const OTHER_NAMES = /\.(gz|swf|csv|json|png|svg)$/i;
const PICTURE_NAMES = /\.(png|svg)$/i;

/** Counts what was given, so that a file knows whether it is still the last. */
let turn = 0;
type IsLast = () => boolean;

/** Tells the page what is read, until it is or something else is. */
async function reading<T>(name: string, isLast: IsLast, outcome: Promise<T>): Promise<T> {
  useShell.setState({ reading: name });
  try {
    return await outcome;
  } finally {
    if (isLast()) useShell.setState({ reading: null });
  }
}

/** Takes in one file, or the files of a Slurm cluster together; of several others, the first, and says so. */
export async function takeFiles(files: readonly File[]): Promise<void> {
  const [file] = files;
  if (!file) return;
  turn += 1;
  const mine = turn;
  const isLast = () => mine === turn;
  const tell = beginWork();
  // What was said of the file before does not speak of this one.
  if (useShell.getState().banner?.kind === "error") useShell.setState({ banner: null });
  // What is said of this file stands on the page, so a dialog that is open gives way.
  closeDialog();
  const others = othersSentence(files);
  const mayBeSlurm = files.some(({ name }) => !OTHER_NAMES.test(name));
  if (others !== "" && !mayBeSlurm) notify(`Reading ${file.name}.${others}`);
  try {
    if (PICTURE_NAMES.test(file.name)) await takePicture(file, others, isLast);
    else if (await looksLikeScenario(file)) await takeScenario(file, others, isLast);
    else if (!(mayBeSlurm && (await takeSlurm(files, isLast)))) {
      if (others !== "" && isLast()) notify(`Reading ${file.name}.${others}`);
      await takeTrace(file, isLast);
    }
  } catch {
    if (!isLast()) return;
    showUnopened(
      `${file.name} could not be read.`,
      "Check that it is a file, not a folder, and still there; then open it again.",
    );
  } finally {
    tell();
  }
}

function othersSentence(files: readonly File[]): string {
  return files.length > 1 ? ` One file at a time: ${othersOf(files)} not opened.` : "";
}

function othersOf(files: readonly File[]): string {
  const [, second] = files;
  return files.length === 2 ? `${second?.name} was` : `the other ${files.length - 1} were`;
}

/** Says what to do instead of dropping a folder. */
export function refuseFolder(name: string): void {
  notify(
    `${name} is a folder. Open it and drop one file: a scenario (JSON), a job trace, or the files of a Slurm cluster.`,
  );
}

async function looksLikeScenario(file: File): Promise<boolean> {
  const start = asUtf8(new Uint8Array(await file.slice(0, 1_024).arrayBuffer()));
  return /^\s*\{/.test(new TextDecoder().decode(start));
}

function refusedTitle(name: string): string {
  return `${name} cannot be opened; nothing was changed.`;
}

async function takeScenario(file: File, others: string, isLast: IsLast): Promise<void> {
  if (!isLast()) return;
  if (file.size > LIMITS.documentBytes) {
    showUnopened(
      `${file.name} is larger than a scenario may be.`,
      "Refer to a trace instead of listing its jobs.",
    );
    return;
  }
  if (!client) return;
  const outcome = await reading(file.name, isLast, client.readDocument(file));
  if (!isLast()) return;
  if (outcome.kind === "problems") {
    showProblems(refusedTitle(file.name), outcome.problems);
    return;
  }
  const { scenario } = outcome;
  if (await openDocument({ scenario, baseId: null, view: null }, `Open ${file.name}`)) {
    const how = outcome.guessed ? " It is not UTF-8: its letters were read as Windows-1252." : "";
    notify(`${file.name} opened.${how}${others}`, true);
    focusOpened();
  }
}

/** A picture of this page: it holds the link, or the scenario, that it was made from. */
async function takePicture(file: File, others: string, isLast: IsLast): Promise<void> {
  const { readPicture } = await import("./share/picture/readPicture.ts");
  const text = await readPicture(file, LIMITS.traceBytes);
  if (!isLast()) return;
  if (text === null) {
    showUnopened(
      `${file.name} is a picture that holds no scenario.`,
      "Pictures that Queuescope saved do, until a program writes them anew. Ask for the link, or for the scenario as a file.",
    );
  } else if (text.kind === "scenario") {
    await takeScenario(new File([text.text], file.name), others, isLast);
  } else if (await openLink(text.text)) notify(`${file.name} opened.${others}`, true);
}

/** Files of a Slurm cluster; false where none of them is one. Only as much is read as a configuration may have. */
async function takeSlurm(files: readonly File[], isLast: IsLast): Promise<boolean> {
  if (!client) return false;
  const [first] = files;
  const given = await Promise.all(
    files.map(async (file) => ({
      name: file.name,
      bytes: await file.slice(0, LIMITS.configBytes + 1).arrayBuffer(),
    })),
  );
  if (!isLast()) return true;
  const { scenario } = useApp.getState();
  const outcome = await reading(first?.name ?? "", isLast, client.readSlurm(given, scenario));
  if (!isLast()) return true;
  if (outcome.kind === "other") {
    if (!/topology\.ya?ml$/i.test(first?.name ?? "")) return false;
    showUnopened(
      `${first?.name} is not read; nothing was changed.`,
      "Write its switches as a topology.conf: SwitchName lines with Nodes or Switches.",
    );
    return true;
  }
  if (outcome.kind === "problems") {
    showProblems(refusedTitle(first?.name ?? ""), outcome.problems);
    return true;
  }
  const rest = files.filter((file) => outcome.others.includes(file.name));
  const then = (): void => void (rest.length > 0 && takeFiles(rest));
  const { takeSlurmFiles } = await import("./slurmFiles.ts");
  if (!isLast()) return true;
  await takeSlurmFiles(outcome, then);
  return true;
}

async function takeTrace(file: File, isLast: IsLast): Promise<void> {
  if (!isLast()) return;
  if (file.size > LIMITS.traceBytes) {
    const most = LIMITS.traceBytes / 2 ** 20;
    showUnopened(`${file.name} is larger than ${most} MiB.`, "Take a part of the trace.");
    return;
  }
  if (!client) return;
  try {
    const outcome = await reading(file.name, isLast, client.addTrace(file.name, file));
    if (!isLast()) return;
    if (outcome.kind === "problems") {
      showProblems(refusedTitle(file.name), outcome.problems);
      return;
    }
    const { sha256, name, bytes } = outcome;
    const kept = await putTrace({ sha256, name, bytes, keptAtMs: Date.now() }, file);
    if (!isLast()) return;
    if (!kept.ok)
      notify(
        `${name} could not be kept on this device${kept.full ? ": its storage is full" : ""}. After a reload it has to be opened again.`,
      );
    const asked = useApp.getState().runStatus;
    if (asked.phase === "traceNeeded" && asked.sha256 === sha256) {
      await reopenDocument();
      return;
    }
    if (asked.phase === "traceNeeded") {
      showBanner(
        "note",
        `This is another ${asked.name} than the scenario asks for.`,
        `The SHA-256 of ${name} is ${sha256.slice(0, 16)}…, not ${asked.sha256.slice(0, 16)}….`,
      );
    }
    showDialog({ kind: "trace", trace: outcome });
  } catch {
    if (!isLast()) return;
    showUnopened(
      `${file.name} could not be read.`,
      "Try again; if it stays so, the file may be too large for this browser.",
    );
  }
}
