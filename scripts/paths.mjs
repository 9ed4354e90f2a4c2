// Where things are, and the two words every script needs: `say` (messages go to standard error, standard output is for
// machines) and `fileExists`.
import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
export const dist = join(root, "dist");
/** Locks and reports; never part of a result, may be deleted at any time. */
export const cache = join(root, ".cache");

/** @param {string} message */
export function say(message) {
  process.stderr.write(`queuescope: ${message}\n`);
}

/** A tool's own program file, run by this same Node: no shell, no PATH, the same on every platform. @param {string} name */
export function tool(name) {
  const files = {
    vite: "vite/bin/vite.js",
    vitest: "vitest/vitest.mjs",
    tsc: "typescript/bin/tsc",
    biome: "@biomejs/biome/bin/biome",
    playwright: "@playwright/test/cli.js",
    build: "../scripts/build.mjs",
  };
  const file = files[/** @type {keyof typeof files} */ (name)];
  if (file === undefined) throw new Error(`No tool is called ${name}`);
  return join(root, "node_modules", file);
}

/** @param {string} path */
export function fileExists(path) {
  return existsSync(path);
}

/** Was this module started as the program, also through a symbolic link? @param {string} moduleUrl */
export function isMain(moduleUrl) {
  const started = process.argv[1];
  return (
    started !== undefined &&
    fileExists(started) &&
    realpathSync(started) === realpathSync(fileURLToPath(moduleUrl))
  );
}
