// One builder at a time in a checkout: `npm start` and `npm test` may run at once. The lock is a folder (making one is atomic)
// with the holder's process number; the holder touches it every second, so a lock whose holder died is known by its age.
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cache, say } from "./paths.mjs";

const staleMs = 20_000;

/**
 * Runs `work` while holding the named lock. Waits for another holder, takes over from a dead one.
 * @template T
 * @param {string} name
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(name, work) {
  const folder = join(cache, `${name}.lock`);
  let waiting = false;
  while (!takeOrEnd(folder)) {
    if (isDead(folder)) {
      await takeOver(folder);
      continue;
    }
    if (!waiting) say(`another process is at work here (${name}); waiting for it`);
    waiting = true;
    await sleep(200);
  }
  const beat = setInterval(() => touch(folder), 1_000);
  const release = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", release);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    process.removeListener("exit", release);
    release();
  }
}

/** A checkout that may only be read is of use as long as nothing has to be installed or built. @param {string} folder */
function takeOrEnd(folder) {
  try {
    return take(folder);
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== "EACCES" && code !== "EPERM" && code !== "EROFS") throw error;
    say(`something is to be installed or built, but this folder cannot be written to: ${message}`);
    process.exit(1);
  }
}

/** @param {string} folder */
function take(folder) {
  mkdirSync(cache, { recursive: true });
  try {
    mkdirSync(folder);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
  }
  writeFileSync(join(folder, "holder"), `${hostname()} ${process.pid}`);
  return true;
}

/** @param {string} folder */
function touch(folder) {
  try {
    const now = new Date();
    utimesSync(folder, now, now);
  } catch {
    // The folder is gone only when somebody deleted the cache; the work goes on all the same.
  }
}

/** @param {string} folder */
function isDead(folder) {
  try {
    if (Date.now() - statSync(folder).mtimeMs > staleMs) return true;
    const [host, pid] = readFileSync(join(folder, "holder"), "utf8").split(" ");
    if (host !== hostname()) return false;
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    // ESRCH: the holder is no more. Anything else (the lock has just been released or is being made): look again.
    return /** @type {NodeJS.ErrnoException} */ (error).code === "ESRCH";
  }
}

/**
 * Removes a dead lock. Two processes may find the same dead lock; a guard folder lets only one of them remove it, and that one
 * looks again first, so that a lock taken in between is left alone.
 * @param {string} folder
 */
async function takeOver(folder) {
  const guard = `${folder}.takeover`;
  try {
    mkdirSync(guard);
  } catch {
    if (ageMs(guard) > staleMs) rmSync(guard, { recursive: true, force: true });
    await sleep(100);
    return;
  }
  if (isDead(folder)) rmSync(folder, { recursive: true, force: true });
  rmSync(guard, { recursive: true, force: true });
}

/** @param {string} folder */
function ageMs(folder) {
  try {
    return Date.now() - statSync(folder).mtimeMs;
  } catch {
    return 0;
  }
}
