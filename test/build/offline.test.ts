import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ensureBuilt } from "../../scripts/build.mjs";
import { dist } from "../../scripts/paths.mjs";

beforeAll(() => ensureBuilt("page"), 120_000);

const worker = () => readFileSync(join(dist, "sw.js"), "utf8");
const stored = () =>
  [...worker().matchAll(/url:\s*[`"']([^`"']+)[`"'],\s*revision:\s*(null|[`"']\w+[`"'])/g)].map(
    ([, url = "", revision]) => ({ url, hashed: revision === "null" }),
  );

describe("the service worker", () => {
  test("stores every file of the page, and nothing that a page does not fetch", () => {
    const files = readdirSync(join(dist, "assets")).filter((name) => !name.endsWith(".map"));
    const urls = stored().map(({ url }) => url);
    expect(urls.filter((url) => url.startsWith("assets/")).toSorted()).toEqual(
      files.map((name) => `assets/${name}`).toSorted(),
    );
    expect(urls).toEqual(
      expect.arrayContaining(["index.html", "manifest.webmanifest", "icon-192.png"]),
    );
    expect(urls.filter((url) => /\.map$|^cli|^schema|^\.|^sw\.js$/.test(url))).toEqual([]);
  });

  test("names a revision for files whose name holds no hash", () => {
    for (const { url, hashed } of stored()) expect(hashed).toBe(url.startsWith("assets/"));
  });

  test("carries the name of the build that the page says it is", () => {
    const page = readFileSync(join(dist, "index.html"), "utf8");
    const name = /<meta name="build" content="([0-9a-f]{16})">/.exec(page)?.[1];
    expect(name).toBeDefined();
    expect(worker()).toContain(name);
  });

  test("is one classic script, for browsers that run no modules as service workers", () => {
    expect(worker()).not.toMatch(/^\s*(import|export)\b/m);
    expect(worker()).not.toMatch(/\bimport\(/);
  });
});
