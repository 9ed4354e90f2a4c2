// Builds what `dist/` holds: the page (index.html, assets) and the headless program (cli/queuescope.js). Each part remembers a hash of
// its sources and is built again only when they differ, so a switch of branches or a deleted file is seen too.
//
//     node scripts/build.mjs          both parts, whatever the stamps say
import "./nodeVersion.mjs";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { withLock } from "./lock.mjs";
import { dist, fileExists, isMain, root, say } from "./paths.mjs";
import { run } from "./run.mjs";
import { setup } from "./setup.mjs";

const shared = ["src", "package-lock.json", "tsconfig.json"];
const parts = {
  page: {
    sources: [...shared, "public", "index.html", "vite.config.ts", "scripts/csp.json"],
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
  clear(name);
  const status = await run("vite", ["build", "--config", part.config, "--logLevel", "warn"], {
    stdout: "stderr",
    env: { NODE_ENV: "production" },
  });
  if (status !== 0) {
    say("the build failed; its messages are above");
    process.exit(1);
  }
  writeFileSync(stampOf(name), hash);
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

/** Empties the part of `dist/` that the build fills, and nothing else. @param {keyof typeof parts} name */
function clear(name) {
  mkdirSync(dist, { recursive: true });
  rmSync(stampOf(name), { force: true });
  if (name === "cli") rmSync(join(dist, "cli"), { recursive: true, force: true });
  else {
    for (const entry of readdirSync(dist)) {
      if (entry !== "cli" && !entry.startsWith("."))
        rmSync(join(dist, entry), { recursive: true, force: true });
    }
  }
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
