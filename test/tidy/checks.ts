/** The checks of the house: each takes files and returns one sentence for each violation, so that each can be tried on a planted one. */
import { createHash } from "node:crypto";
import { posix } from "node:path";
import { BANNED_GLOBALS, EXACT_MATH, LAYERS, type Layer } from "./layers.ts";
import { factsOf, type ImportFound, type SourceFile } from "./source.ts";

const isCode = (file: SourceFile) => /\.tsx?$/.test(file.path);
const layerOf = (path: string) => path.split("/")[1] ?? "";

/** Imports that the table in `layers.ts` does not allow. */
export function importViolations(files: readonly SourceFile[]): string[] {
  return files.filter(isCode).flatMap((file) => {
    const layer = LAYERS[layerOf(file.path)];
    if (layer === undefined) return [`${file.path}: no layer of this name`];
    return factsOf(file)
      .imports.filter((found) => !allowed(file.path, layer, found))
      .map((found) => {
        const what = found.typeOnly ? "types of " : "";
        return `${file.path}: ${layerOf(file.path)} may not import ${what}${found.target}`;
      });
  });
}

function allowed(path: string, layer: Layer, found: ImportFound): boolean {
  if (!found.target.startsWith(".")) return packageAllowed(layer, found.target);
  const target = posix.join(posix.dirname(path), found.target);
  if (!target.startsWith("src/")) return false;
  if (sameUnit(path, target)) return true;
  const names = [layerOf(target), target.slice("src/".length).replace(/\.tsx?$/, "")];
  const may = found.typeOnly ? [...layer.imports, ...(layer.types ?? [])] : layer.imports;
  // Panels meet in the store, never in each other; one panel is a unit of its own.
  if (layerOf(path) === "panels" && layerOf(target) === "panels") return false;
  return names.some((name) => may.includes(name));
}

/** Inside one layer, or inside one panel, everything may be imported. */
function sameUnit(path: string, target: string): boolean {
  if (layerOf(path) !== layerOf(target)) return false;
  return layerOf(path) !== "panels" || path.split("/")[2] === target.split("/")[2];
}

function packageAllowed(layer: Layer, target: string): boolean {
  return layer.packages.some((name) =>
    /[/:]$/.test(name) ? target.startsWith(name) : target === name,
  );
}

/** Clocks, dice, DOM and network in layers that must run unchanged everywhere; inexact functions of `Math`; locale rules. */
export function globalViolations(files: readonly SourceFile[]): string[] {
  return files.filter(isCode).flatMap((file) => {
    if (LAYERS[layerOf(file.path)]?.pure !== true) return [];
    const banned = factsOf(file).globals.filter(({ name, member }) => {
      if (name === "Math") return member === null || !EXACT_MATH.includes(member);
      return BANNED_GLOBALS.includes(name);
    });
    const locale = [...file.text.matchAll(/\.(localeCompare|toLocale\w*)\(/g)].map(
      (match) => `.${match[1]}`,
    );
    return [
      ...banned.map(({ name, member }) => (member === null ? name : `${name}.${member}`)),
      ...locale,
    ].map((what) => `${file.path}: ${what} differs between places or runs`);
  });
}

/** Files that only hand on what others export, and default exports. */
export function exportViolations(files: readonly SourceFile[]): string[] {
  return files.filter(isCode).flatMap((file) => {
    const facts = factsOf(file);
    return [
      ...(facts.defaultExport ? [`${file.path}: default export`] : []),
      ...facts.imports
        .filter((found) => found.kind === "reexport")
        .map((found) => `${file.path}: hands on ${found.target}`),
    ];
  });
}

/** Files of `src/` that no entry reaches, neither of the product nor of tests and benches. */
export function deadFiles(files: readonly SourceFile[], entries: readonly string[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set<string>();
  const todo = [...entries];
  for (let path = todo.pop(); path !== undefined; path = todo.pop()) {
    const file = byPath.get(path);
    if (reached.has(path) || file === undefined) continue;
    reached.add(path);
    if (!isCode(file)) continue;
    for (const { target } of factsOf(file).imports) {
      if (target.startsWith("."))
        todo.push(posix.join(posix.dirname(path), target.split("?")[0] ?? ""));
    }
  }
  return files
    .filter((file) => file.path.startsWith("src/") && isCode(file) && !reached.has(file.path))
    .map((file) => `${file.path}: nothing uses it`);
}

/** Functions, classes and constants that a file of `src/` exports and no other file names. Types may stand with what uses them. */
export function unusedExports(files: readonly SourceFile[]): string[] {
  const users = new Map<string, number>();
  for (const file of files) {
    for (const word of new Set(file.text.match(/\w+/g)))
      users.set(word, (users.get(word) ?? 0) + 1);
  }
  const exported = /^export (?:async )?(?:function\*?|class|const) (\w+)/gm;
  return files
    .filter((file) => file.path.startsWith("src/") && isCode(file))
    .flatMap((file) =>
      [...file.text.matchAll(exported)]
        .filter(([, name]) => users.get(name!) === 1)
        .map(([, name]) => `${file.path}: nobody else uses ${name}`),
    );
}

/** Every folder with code opens with a README of at most 15 lines. */
export function readmeViolations(files: readonly SourceFile[]): string[] {
  const readmes = new Map(
    files
      .filter((file) => file.path.endsWith("/README.md"))
      .map((file) => [posix.dirname(file.path), file.text.trimEnd().split("\n").length]),
  );
  const folders = new Set(
    files.filter((file) => !file.path.endsWith(".md")).map((file) => posix.dirname(file.path)),
  );
  return [...folders].sort().flatMap((folder) => {
    const lines = readmes.get(folder);
    if (lines === undefined) return [`${folder}: no README.md`];
    return lines > 15 ? [`${folder}/README.md: ${lines} lines`] : [];
  });
}

/** A file longer than this holds a second idea. */
export function lengthViolations(files: readonly SourceFile[], most = 400): string[] {
  return files.filter(isCode).flatMap((file) => {
    const lines = file.text.trimEnd().split("\n").length;
    return lines > most ? [`${file.path}: ${lines} lines`] : [];
  });
}

/** Released migrations are frozen: each file named in the list exists and is the same to the byte, and no file is missing in it. */
export function migrationViolations(
  files: readonly SourceFile[],
  released: Readonly<Record<string, string>>,
): string[] {
  const byPath = new Map(files.map((file) => [file.path, file.text]));
  const changed = Object.entries(released).flatMap(([path, hash]) => {
    const text = byPath.get(path);
    if (text === undefined) return [`${path}: a released migration is gone`];
    const now = createHash("sha256").update(text).digest("hex");
    return now === hash ? [] : [`${path}: a released migration was edited (${now})`];
  });
  return changed;
}

interface LockEntry {
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The lock file works with any registry and is complete: it names no host, holds every package it names, and serves all platforms. */
export function lockFileViolations(text: string): string[] {
  const lock = JSON.parse(text) as { packages: Record<string, LockEntry> };
  const hosts = Object.entries(lock.packages)
    .filter(([, entry]) => /^https?:/.test(entry.resolved ?? ""))
    .map(([path, entry]) => `package-lock.json: ${path} names ${entry.resolved}`);
  const platforms = ["linux", "darwin", "win32"].filter((name) => !text.includes(`"${name}"`));
  return [
    ...hosts,
    ...absentPackages(lock.packages),
    ...platforms.map((name) => `package-lock.json: nothing for the platform ${name}`),
  ];
}

/** `npm ci` refuses a lock file that names a package, even an optional one, without holding it. */
function absentPackages(packages: Readonly<Record<string, LockEntry>>): string[] {
  const held = new Set(Object.keys(packages).map((path) => path.split("node_modules/").at(-1)));
  return Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
      .filter((name) => !held.has(name))
      .map((name) => `package-lock.json: ${path} needs ${name}, which is not in it`),
  );
}

/** Paths of one machine do not belong into the project. */
export function machinePathViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    [...file.text.matchAll(/(?<![\w.])\/(?:work|root|home|Users)\/[\w.-]+/g)].map(
      (match) => `${file.path}: ${match[0]}`,
    ),
  );
}
