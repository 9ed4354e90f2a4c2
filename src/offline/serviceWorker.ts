/**
 * The service worker: all files of one build, stored before it serves anything, so that every link opens and runs without network.
 * It waits until the reader asks for the new version or the last page of the old one is gone. Files with a hash in their name are looked
 * for in every stored build, because a page that is open while another takes the new version still fetches what it was built with.
 * Workbox stores the files; which build is dropped when is ours (`pageCache.ts`).
 */
import { PrecacheController } from "workbox-precaching/PrecacheController.js";
import { cacheName, type OfflineMessage, outdated } from "./pageCache.ts";

/** Put in by the build: its name, and its files with a revision where the name holds no hash. */
declare const QUEUESCOPE_BUILD: {
  readonly build: string;
  readonly files: readonly { readonly url: string; readonly revision: string | null }[];
};

const scope = self as unknown as ServiceWorkerGlobalScope;
const folder = new URL("./", scope.location.href).href;
const { build, files } = QUEUESCOPE_BUILD;

const stored = new PrecacheController({ cacheName: cacheName(folder, build) });
stored.addToCacheList([...files]);

scope.addEventListener("install", (event) => {
  void stored.install(event);
});

scope.addEventListener("activate", (event) => {
  // A page that was opened before the first worker is served from here at once.
  event.waitUntil(scope.clients.claim().then(dropOutdated));
});

scope.addEventListener("message", (event) => {
  const { type } = (event.data ?? {}) as { type?: OfflineMessage };
  if (type === "SKIP_WAITING") event.waitUntil(scope.skipWaiting());
  if (type === "PAGE_STARTED") event.waitUntil(dropOutdated());
});

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(folder)) return;
  if (request.mode === "navigate") {
    // Whatever stands behind ? and # is read by the page itself.
    const path = request.url.slice(folder.length).split(/[?#]/, 1)[0];
    if (path === "" || path === "index.html")
      event.respondWith(answer(`${folder}index.html`, request));
  } else if (request.url.startsWith(`${folder}assets/`) || stored.getCacheKeyForURL(request.url))
    event.respondWith(answer(request.url, request));
});

/** From this build, from any other that is stored, from the network; in this order. */
async function answer(url: string, request: Request): Promise<Response> {
  const own = await stored.matchPrecache(url);
  if (own) return own;
  const hashed = url.startsWith(`${folder}assets/`);
  return (hashed && (await caches.match(url))) || fetch(request);
}

async function dropOutdated(): Promise<void> {
  const names = await caches.keys();
  // The cache of a build that waits, or is being stored, has no page yet.
  if (scope.registration.waiting || scope.registration.installing) return;
  const { held = [] } = await scope.navigator.locks.query();
  const locks = held.map(({ name }) => name ?? "");
  await Promise.all(outdated(names, { folder, build }, locks).map((name) => caches.delete(name)));
}
