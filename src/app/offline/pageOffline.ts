/**
 * Registers the service worker when everything else is here, and watches for a new version. A new version is stored and waits: the status
 * bar offers it, and nothing reloads unless the reader asks in this very tab. No timer runs: a page that comes back into view after an hour
 * asks the server once. While developing, in frames and in benches there is no worker.
 */
import { Workbox } from "workbox-window";
import { type OfflineMessage, pageLock } from "../../offline/pageCache.ts";
import { notify } from "../../store/notices.ts";
import { useShell } from "../../store/shellState.ts";

const LOOK_AGAIN_MS = 3_600_000;

let workbox: Workbox | null = null;
let asked = false;

/** The build that this page was loaded from; undefined while developing. */
function ownBuild(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content;
}

/** Resolves when this build is stored, or cannot be: then the page works with network only. */
export async function startOffline(): Promise<void> {
  const build = ownBuild();
  if (build === undefined || !("serviceWorker" in navigator)) return;
  holdBuild(new URL("./", location.href).href, build);
  workbox = new Workbox("./sw.js", { updateViaCache: "none" });
  workbox.addEventListener("waiting", tellReady);
  workbox.addEventListener("controlling", ({ isUpdate }) => {
    if (asked) location.reload();
    else if (isUpdate) tellReady();
  });
  const registration = await workbox.register().catch(() => undefined);
  if (!registration) return;
  watchForUpdates(workbox);
  await stored(registration.installing);
}

/** As long as this page is open its build stays stored, also when another tab has taken a newer one. */
function holdBuild(folder: string, build: string): void {
  const started: { readonly type: OfflineMessage } = { type: "PAGE_STARTED" };
  void navigator.locks?.request(pageLock(folder, build), { mode: "shared" }, () => {
    navigator.serviceWorker.controller?.postMessage(started);
    return new Promise<void>(() => undefined);
  });
}

function stored(worker: ServiceWorker | null): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (worker?.state !== "installing") resolve();
    };
    worker?.addEventListener("statechange", look);
    look();
  });
}

function watchForUpdates(from: Workbox): void {
  let lookedMs = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible" || Date.now() - lookedMs < LOOK_AGAIN_MS) return;
    lookedMs = Date.now();
    // Without network there is nothing new.
    void from.update().catch(() => undefined);
  });
}

function tellReady(): void {
  if (useShell.getState().updateReady) return;
  useShell.setState({ updateReady: true });
  notify("A new version is ready: “Update ready” in the status bar reloads the page.");
}

/** Reloads into the version that waits. Where another tab has taken it already, a reload is all that is left to do. */
export async function reloadIntoUpdate(): Promise<void> {
  asked = true;
  const registration = await navigator.serviceWorker.getRegistration();
  if (workbox && registration?.waiting) workbox.messageSkipWaiting();
  else location.reload();
}
