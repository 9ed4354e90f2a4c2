import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { conformance } from "../../src/cli/conformance/conformance.ts";

const here = fileURLToPath(new URL("slurm", import.meta.url));
const files = readdirSync(here).filter((name) => name.endsWith(".json"));

describe("recordings of Slurm 22.05.8", () => {
  test("are all here", () => expect(files).toHaveLength(56));
  test.each(files)("%s: who, where, when and why are those of the recording", (name) => {
    const lines: string[] = [];
    conformance([join(here, name)], (line) => lines.push(line));
    expect(lines).toEqual([`PASS ${name.replace(".json", "")}`, "1 passed, 0 failed, 0 skipped"]);
  });
});
