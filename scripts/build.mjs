// Builds what `dist/` holds: the page (index.html, assets) and the headless program (cli/queuescope.js). Each part remembers a hash of
// its sources and is built again only when they differ, so a switch of branches or a deleted file is seen too. A part is built aside and
// then put in place: who serves or runs the one before keeps it meanwhile, and keeps it when the build fails.
//
//     node scripts/build.mjs          both parts, whatever the stamps say
import "./nodeVersion.mjs";
import { createHash } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { withLock } from "./lock.mjs";
import { dist, fileExists, isMain, root, say } from "./paths.mjs";
import { run } from "./run.mjs";
import { setup } from "./setup.mjs";

const shared = ["src", "package-lock.json", "tsconfig.json"];
const parts = {
  page: {
    sources: [
      ...shared,
      "public",
      "index.html",
      "vite.config.ts",
      "scripts/csp.json",
      "scripts/licencesPlugin.mjs",
      "scripts/offlinePlugin.mjs",
    ],
    product: join(dist, "index.html"),
    config: "vite.config.ts",
  },
  cli: {
    sources: [...shared, "vite.cli.config.ts"],
    product: join(dist, "cli", "queuescope.js"),
    config: "vite.cli.config.ts",
  },
};

/**
 * Builds a part unless it is up to date.
 * @param {keyof typeof parts} name
 */
export async function ensureBuilt(name) {
  if (upToDate(name)) return;
  await withLock("build", async () => {
    if (!upToDate(name)) await build(name);
  });
}

/** @param {keyof typeof parts} name */
async function build(name) {
  const part = parts[name];
  const hash = hashOf(part.sources);
  say(`building ${name === "page" ? "the page" : "the headless program"}`);
  const aside = asideOf(name);
  let status = 1;
  try {
    mkdirSync(dist, { recursive: true });
    rmSync(aside, { recursive: true, force: true });
    const args = ["build", "--config", part.config, "--outDir", aside, "--logLevel", "warn"];
    status = await run("vite", args, { stdout: "stderr", env: { NODE_ENV: "production" } });
    if (status === 0) putInPlace(name, aside);
    rmSync(aside, { recursive: true, force: true });
    if (status === 0) writeFileSync(stampOf(name), hash);
  } catch (error) {
    say(`cannot write to ${dist}: ${/** @type {Error} */ (error).message}`);
    process.exit(1);
  }
  if (status !== 0) {
    say("the build failed; its messages are above");
    process.exit(1);
  }
}

/** @param {keyof typeof parts} name */
function upToDate(name) {
  const stamp = stampOf(name);
  const part = parts[name];
  return (
    fileExists(part.product) &&
    fileExists(stamp) &&
    readFileSync(stamp, "utf8") === hashOf(part.sources)
  );
}

/** @param {string} name */
function stampOf(name) {
  return join(dist, `.${name}-sources`);
}

/** Inside `dist/`, so that a rename suffices; the server shows no name that begins with a dot. @param {string} name */
function asideOf(name) {
  return join(dist, `.${name}-new`);
}

/**
 * Replaces the part of `dist/` that the build fills, and nothing else: first the files that the new page names, then the page itself,
 * then away with what only the old one named.
 * @param {keyof typeof parts} name
 * @param {string} aside
 */
function putInPlace(name, aside) {
  rmSync(stampOf(name), { force: true });
  const target = name === "cli" ? join(dist, "cli") : dist;
  const made = filesIn(aside).map((file) => relative(aside, file));
  const last = relative(target, parts[name].product);
  for (const file of [...made.filter((path) => path !== last), last]) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    renameSync(join(aside, file), join(target, file));
  }
  const kept = new Set(made);
  for (const file of filesIn(target).map((path) => relative(target, path))) {
    if (!kept.has(file) && belongsTo(name, file)) rmSync(join(target, file), { force: true });
  }
}

/** Of `dist/` the page owns all but the headless program, the stamps and what is being built. @param {string} name @param {string} file */
function belongsTo(name, file) {
  const top = file.split(sep, 1)[0] ?? "";
  return name === "cli" || top === ".vite" || !(top === "cli" || top.startsWith("."));
}

/** @param {string[]} sources */
function hashOf(sources) {
  const hash = createHash("sha256");
  for (const file of sources.flatMap((source) => filesIn(join(root, source)))) {
    hash.update(`${relative(root, file)}\n`).update(readFileSync(file));
  }
  return hash.digest("hex");
}

/** @param {string} path @returns {string[]} */
function filesIn(path) {
  if (!fileExists(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)));
}

if (isMain(import.meta.url)) {
  await setup();
  for (const name of /** @type {(keyof typeof parts)[]} */ (Object.keys(parts))) {
    await withLock("build", () => build(name));
  }
}
