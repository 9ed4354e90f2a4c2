// Runs one of the project's tools with this Node and waits for it. Children end with us: a signal is handed on and ends the command.
import { spawn } from "node:child_process";
import { root, tool } from "./paths.mjs";

/**
 * @param {string} name a tool of `paths.mjs`
 * @param {string[]} args
 * @param {{ stdout?: "stderr" | "inherit", env?: Record<string, string> }} options
 * @returns {Promise<number>} the exit status; 1 when a signal ended it
 */
export function run(name, args, options = {}) {
  const out = options.stdout === "stderr" ? 2 : (options.stdout ?? "inherit");
  const child = spawn(process.execPath, [tool(name), ...args], {
    cwd: root,
    stdio: ["ignore", out, "inherit"],
    env: { ...process.env, ...options.env },
  });
  return waitFor(child);
}

/**
 * Waits for a child. A signal that comes meanwhile is handed on, and once the child is gone it ends this process too: whoever pressed
 * Ctrl+C meant the whole command, not its present step.
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<number>} the exit status; 1 when the child could not start or a signal ended it
 */
export function waitFor(child) {
  /** @type {NodeJS.Signals | null} */
  let stoppedBy = null;
  const stop = (/** @type {NodeJS.Signals} */ signal) => {
    stoppedBy ??= signal;
    child.kill("SIGTERM");
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  return new Promise((resolve) => {
    const end = (/** @type {number} */ status) => {
      process.removeListener("SIGINT", stop).removeListener("SIGTERM", stop);
      if (stoppedBy !== null) process.exit(stoppedBy === "SIGINT" ? 130 : 143);
      resolve(status);
    };
    child.on("error", () => end(1));
    child.on("close", (status) => end(status ?? 1));
  });
}
