import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serve } from "../../scripts/serve.mjs";

let folder = "";
let port = 0;
let close: (() => void) | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "queuescope-serve-"));
  const site = join(folder, "site");
  mkdirSync(join(site, "assets"), { recursive: true });
  writeFileSync(join(site, "index.html"), "<!doctype html>page");
  writeFileSync(join(site, "assets", "a-1.js"), "1");
  writeFileSync(join(site, ".stamp"), "hidden");
  writeFileSync(join(folder, "secret.txt"), "secret");
  symlinkSync(join(folder, "secret.txt"), join(site, "assets", "link.txt"));
  port = await freePort();
  close = await serve(port, site);
});
afterAll(() => {
  close?.();
  rmSync(folder, { recursive: true });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe: Server = createServer();
    probe.listen(0, "127.0.0.1", () => {
      const { port: free } = probe.address() as AddressInfo;
      probe.close(() => resolve(free));
    });
  });
}

/** A request as written, without the tidying of paths that clients do. */
function raw(path: string, method = "GET"): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
    );
    socket.setEncoding("utf8").on("data", (data) => {
      text += data;
    });
    socket.on("end", () => resolve(text)).on("error", reject);
  });
}
const statusOf = async (path: string, method?: string) =>
  Number((await raw(path, method)).split(" ")[1]);

test("while a build has taken the page away, its address says so and leads in no circle", async () => {
  const page = join(folder, "site", "index.html");
  renameSync(page, `${page}.away`);
  expect(await raw("/")).toMatch(/^HTTP\/1\.1 503 [\s\S]*being built/);
  expect(await statusOf("/some/screen")).toBe(302);
  renameSync(`${page}.away`, page);
  expect(await statusOf("/")).toBe(200);
});

test("files come with their type, the policy and a cache rule that fits their name", async () => {
  const page = await raw("/");
  expect(page).toContain("Content-Type: text/html; charset=utf-8");
  expect(page).toMatch(/Content-Security-Policy: .*script-src 'self'/);
  expect(page).toContain("X-Content-Type-Options: nosniff");
  expect(page).toContain("Cache-Control: no-cache");
  const script = await raw("/assets/a-1.js");
  expect(script).toContain("Content-Type: text/javascript");
  expect(script).toContain("immutable");
});

test("nothing outside the folder is served, however the path is written", async () => {
  for (const path of [
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/assets/../../secret.txt",
    "/..%5csecret.txt",
    "//../secret.txt",
    "/assets/link.txt",
    "/.stamp",
    "/%00",
    "/%zz",
  ]) {
    const answer = await raw(path);
    expect(answer, path).not.toContain("secret");
    expect(answer, path).not.toContain("hidden");
    expect(answer, path).toMatch(/^HTTP\/1\.1 404/);
  }
});

test("a path that could be a screen leads to the page, a missing file does not", async () => {
  expect(await statusOf("/some/screen")).toBe(302);
  expect(await statusOf("/assets/gone.js")).toBe(404);
});

test("only reading is allowed, and HEAD sends no body", async () => {
  expect(await statusOf("/", "POST")).toBe(405);
  expect((await raw("/", "HEAD")).endsWith("\r\n\r\n")).toBe(true);
});

test("a taken port is told by its code", async () => {
  await expect(serve(port, folder)).rejects.toMatchObject({ code: "EADDRINUSE" });
});
