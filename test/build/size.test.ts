import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ensureBuilt } from "../../scripts/build.mjs";
import { dist } from "../../scripts/paths.mjs";
import { budgets, sizes } from "../../scripts/sizes.mjs";

beforeAll(() => ensureBuilt("page"), 120_000);

/** The modules in a built file, from its source map; a file without one holds none of ours. */
function sourcesOf(name: string): readonly string[] {
  const path = join(dist, "assets", `${name}.map`);
  if (!existsSync(path)) return [];
  return (JSON.parse(readFileSync(path, "utf8")) as { sources: string[] }).sources;
}

describe("what a first visit loads", () => {
  test("the scripts of the first load stay within 220 kB compressed", () => {
    const { firstLoad } = sizes();
    expect(firstLoad).toBeGreaterThan(0);
    expect(firstLoad).toBeLessThanOrEqual(budgets.firstLoad);
  });

  test("what reads documents comes after the first picture: the worker reads the one that opens first", () => {
    const own = sizes().files.filter(({ when }) => when === "first load");
    const sources = own.flatMap(({ name }) => sourcesOf(name));
    expect(sources.some((source) => source.endsWith("src/app/boot.ts"))).toBe(true);
    const late =
      /\/(zod|fflate|@noble)\/|src\/scenario\/(library|lab)\/|src\/(scenario\/(schema|codec)|metrics\/accumulator)\.ts$/;
    expect(sources.filter((source) => late.test(source))).toEqual([]);
  });

  test("there is a worker, and it stays within 150 kB compressed", () => {
    const { worker } = sizes();
    expect(worker).toBeGreaterThan(0);
    expect(worker).toBeLessThanOrEqual(budgets.worker);
  });

  test("a scheduler of an orchestrator is no part of it: the worker fetches one when a scenario asks for it", () => {
    const { files } = sizes();
    const preset = files.find(({ name }) => name.startsWith("slurmPreset-"));
    expect(preset?.when).toBe("preset");
  });
});

describe("the built page", () => {
  const html = () => readFileSync(join(dist, "index.html"), "utf8");

  test("carries its own policy, which allows scripts of the origin only", () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html())?.[1] ?? "";
    const directives = new Map(
      policy
        .replaceAll("&#39;", "'")
        .split("; ")
        .map((directive) => {
          const [name = "", ...sources] = directive.split(" ");
          return [name, sources.join(" ")];
        }),
    );
    expect(directives.get("default-src")).toBe("'none'");
    expect(directives.get("script-src")).toBe("'self'");
    expect(directives.get("worker-src")).toBe("'self'");
    expect(directives.get("object-src")).toBe("'none'");
    expect(directives.get("base-uri")).toBe("'none'");
  });

  test("has no inline script and refers to its files relatively, so that any folder serves it", () => {
    for (const [, attributes = "", body = ""] of html().matchAll(
      /<script([^>]*)>([\s\S]*?)<\/script>/g,
    )) {
      expect(body.trim()).toBe("");
      expect(attributes).toContain('src="./');
    }
    expect(html()).not.toMatch(/(?:src|href)="(?!\.\/|data:)/);
  });
});
