// What a first visit loads, compressed, from the build's manifest: the entry with everything it imports statically, the worker with what it
// imports statically, and what comes only when asked for (`lazy` for the page, `preset` for the worker). Budgets are held by test/build/size.test.ts; by hand: `node scripts/sizes.mjs`.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { dist, isMain } from "./paths.mjs";

/** Bytes after gzip. */
export const budgets = { firstLoad: 220_000, worker: 150_000 };

/** @typedef {{ file: string, imports?: string[], isEntry?: boolean }} ManifestEntry */

/**
 * The worker is a build of its own, in no manifest: its entry by name, and the files that it imports at once.
 * @param {readonly string[]} names
 */
function workerFiles(names) {
  const found = new Set();
  const visit = (/** @type {string} */ name) => {
    if (found.has(name)) return;
    found.add(name);
    const text = readFileSync(join(dist, "assets", name), "utf8");
    for (const [, next = ""] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) visit(next);
  };
  for (const name of names) if (name.startsWith("runWorker-")) visit(name);
  return found;
}

/** @returns {{ firstLoad: number, worker: number, lazy: number, preset: number, files: { name: string, bytes: number, when: string }[] }} */
export function sizes() {
  /** @type {Record<string, ManifestEntry>} */
  const manifest = JSON.parse(readFileSync(join(dist, ".vite", "manifest.json"), "utf8"));
  const first = new Set();
  const visit = (/** @type {string} */ key) => {
    const entry = manifest[key];
    if (entry === undefined || first.has(entry.file)) return;
    first.add(entry.file);
    for (const inner of entry.imports ?? []) visit(inner);
  };
  for (const [key, entry] of Object.entries(manifest)) if (entry.isEntry === true) visit(key);
  const ofPage = new Set(Object.values(manifest).map((entry) => entry.file));
  const names = readdirSync(join(dist, "assets")).filter((name) => name.endsWith(".js"));
  const ofWorker = workerFiles(names);
  const whenOf = (/** @type {string} */ name) => {
    if (first.has(`assets/${name}`)) return "first load";
    if (ofPage.has(`assets/${name}`)) return "lazy";
    return ofWorker.has(name) ? "worker" : "preset";
  };
  const files = names.map((name) => {
    const file = `assets/${name}`;
    const when = whenOf(name);
    return { name, bytes: gzipSync(readFileSync(join(dist, file)), { level: 9 }).length, when };
  });
  const sum = (/** @type {string} */ when) =>
    files.filter((file) => file.when === when).reduce((total, file) => total + file.bytes, 0);
  return {
    firstLoad: sum("first load"),
    worker: sum("worker"),
    lazy: sum("lazy"),
    preset: sum("preset"),
    files,
  };
}

if (isMain(import.meta.url)) {
  const { files, firstLoad, worker, lazy, preset } = sizes();
  for (const { name, bytes, when } of files.sort((a, b) => b.bytes - a.bytes)) {
    process.stdout.write(`${String(bytes).padStart(8)}  ${when.padEnd(10)}  ${name}\n`);
  }
  process.stdout.write(`${JSON.stringify({ firstLoad, worker, lazy, preset, budgets })}\n`);
}
