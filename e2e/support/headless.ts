/** The headless program beside the page: what it prints for a scenario that the page has open. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { GivenFile } from "./files.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

export interface RunJson {
  readonly digest: string;
  readonly jobs: number;
  readonly finished: number;
}

/** `queuescope run SCENARIO --json` in Node, with the trace that the scenario names. */
export async function runInNode(scenario: unknown, trace?: GivenFile): Promise<RunJson> {
  const folder = await mkdtemp(join(tmpdir(), "queuescope-"));
  try {
    const file = join(folder, "scenario.json");
    await writeFile(file, JSON.stringify(scenario));
    const program = join(root, "scripts", "cli.mjs");
    const call = promisify(execFile);
    const more: string[] = [];
    if (trace) {
      const path = join(folder, trace.name);
      await writeFile(path, trace.buffer);
      more.push("--trace", path);
    }
    const { stdout } = await call(process.execPath, [program, "run", file, "--json", ...more], {
      cwd: root,
      maxBuffer: 64 * 1024 * 1024,
    });
    return JSON.parse(stdout) as RunJson;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
