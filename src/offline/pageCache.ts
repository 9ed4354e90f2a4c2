/**
 * Names of what is stored so that the page opens without network. Each build has a cache of its own, and each open page holds a shared lock
 * named after the build it was loaded from: a cache goes when it is neither the newest build's nor that of a page that is still open.
 * Deployments in several folders of one origin share its caches and locks, so the folder is part of each name.
 */

const CACHE = "queuescope-pages";
const LOCK = "queuescope-page";

/** What the page asks of the service worker. */
export type OfflineMessage = "SKIP_WAITING" | "PAGE_STARTED";

/** @param folder - Address of the folder that the page lies in, as the browser writes it: it holds no blank. */
export function cacheName(folder: string, build: string): string {
  return `${CACHE} ${folder} ${build}`;
}

/** The lock that a page of this build holds as long as it is open. */
export function pageLock(folder: string, build: string): string {
  return `${LOCK} ${folder} ${build}`;
}

/** The caches of former builds of this folder that no open page was loaded from. O(caches × locks). */
export function outdated(
  names: readonly string[],
  own: { readonly folder: string; readonly build: string },
  heldLocks: readonly string[],
): readonly string[] {
  return names.filter((name) => {
    const [kind, folder, build] = name.split(" ");
    if (kind !== CACHE || folder !== own.folder || build === undefined || build === own.build)
      return false;
    return !heldLocks.includes(pageLock(folder, build));
  });
}
