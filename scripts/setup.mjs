// Makes a checkout ready with Node's built-ins only: dependencies are installed when the lock file differs from the stamp of the
// last installation. An installation that somebody made by hand and that matches the lock file is taken as it is.
import "./nodeVersion.mjs";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { fileExists, isMain, root, say } from "./paths.mjs";
import { waitFor } from "./run.mjs";

const lockFile = join(root, "package-lock.json");
const stampFile = join(root, "node_modules", ".queuescope-stamp");

/** Installs what is missing. Cheap when nothing is: one hash of the lock file. */
export async function setup() {
  if (stamped()) return;
  await withLock("setup", async () => {
    if (stamped()) return;
    if (installed()) {
      writeFileSync(stampFile, wanted());
      return;
    }
    dropLink(join(root, "node_modules"));
    say("installing dependencies (npm ci)");
    const status = await npm([
      "ci",
      "--include=dev",
      "--include=optional",
      "--no-audit",
      "--no-fund",
      "--loglevel=notice",
    ]);
    if (status !== 0) {
      say(
        "npm ci failed; its messages are above. Check the network and run the same command again.",
      );
      process.exit(1);
    }
    writeFileSync(stampFile, wanted());
  });
}

/**
 * `npm ci` empties `node_modules` first. Where that is a link, it would empty what belongs to another checkout: the link goes instead.
 * @param {string} path
 */
export function dropLink(path) {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  say(`${path} is a link to packages that do not match the lock file; it is replaced by a folder`);
  unlinkSync(path);
}

function wanted() {
  const hash = createHash("sha256").update(readFileSync(lockFile)).digest("hex");
  return `${hash} ${process.platform}-${process.arch}\n`;
}

function stamped() {
  return fileExists(stampFile) && readFileSync(stampFile, "utf8") === wanted();
}

/** Does npm's own note of what it installed agree with the lock file? Packages of other platforms are absent by design. */
function installed() {
  const note = join(root, "node_modules", ".package-lock.json");
  if (!fileExists(note)) return false;
  const want = JSON.parse(readFileSync(lockFile, "utf8")).packages;
  const have = JSON.parse(readFileSync(note, "utf8")).packages;
  const sameHere = Object.keys(want).every((path) => {
    if (path === "") return true;
    if (have[path] === undefined) return want[path].optional === true;
    return (
      have[path].version === want[path].version && have[path].integrity === want[path].integrity
    );
  });
  return sameHere && Object.keys(have).every((path) => fileExists(join(root, path)));
}

/**
 * Runs npm with its messages on standard error. Waits without blocking: the lock must be touched meanwhile, else a second command
 * takes a slow installation for a dead one and starts its own into the same folder.
 * @param {string[]} args
 * @returns {Promise<number>} the exit status; 1 when npm could not start or a signal ended it
 */
function npm(args) {
  const script = process.env.npm_execpath;
  const viaNode = script !== undefined && /\.c?js$/.test(script);
  const command = viaNode ? process.execPath : process.platform === "win32" ? "npm.cmd" : "npm";
  const child = spawn(command, viaNode ? [script, ...args] : args, {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32" && !viaNode,
  });
  return waitFor(child);
}

if (isMain(import.meta.url)) await setup();
