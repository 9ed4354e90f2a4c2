// Runs one of the project's tools with this Node and waits for it. Children end with us: a signal is handed on.
import { spawn } from "node:child_process";
import { root, tool } from "./paths.mjs";

/**
 * @param {string} name a tool of `paths.mjs`
 * @param {string[]} args
 * @param {{ stdout?: "stderr" | "inherit" | "pipe", env?: Record<string, string>, onText?: (text: string) => void }} options
 * @returns {Promise<number>} the exit status; 1 when a signal ended it
 */
export function run(name, args, options = {}) {
  const out = options.stdout === "stderr" ? 2 : (options.stdout ?? "inherit");
  const child = spawn(process.execPath, [tool(name), ...args], {
    cwd: root,
    stdio: ["ignore", out, "inherit"],
    env: { ...process.env, ...options.env },
  });
  child.stdout?.setEncoding("utf8").on("data", (text) => options.onText?.(text));
  const handOn = () => child.kill("SIGTERM");
  process.once("SIGINT", handOn).once("SIGTERM", handOn);
  return new Promise((resolve) => {
    child.on("error", () => resolve(1));
    child.on("close", (status) => {
      process.removeListener("SIGINT", handOn).removeListener("SIGTERM", handOn);
      resolve(status ?? 1);
    });
  });
}
