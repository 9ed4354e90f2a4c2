import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withLock } from "../../scripts/lock.mjs";
import { cache } from "../../scripts/paths.mjs";

const nameOf = (what: string) => `test-${process.pid}-${what}`;

test("of two that want the lock one works at a time", async () => {
  const name = nameOf("both");
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside++;
    most = Math.max(most, inside);
    await new Promise((resolve) => setTimeout(resolve, 50));
    inside--;
  };
  await Promise.all([withLock(name, work), withLock(name, work), withLock(name, work)]);
  expect(most).toBe(1);
  expect(existsSync(join(cache, `${name}.lock`))).toBe(false);
});

test("the lock of a process that died is taken over", async () => {
  const name = nameOf("dead");
  const gone = spawnSync(process.execPath, ["-e", "process.stdout.write(String(process.pid))"]);
  const folder = join(cache, `${name}.lock`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "holder"), `${hostname()} ${gone.stdout.toString()}`);
  expect(await withLock(name, () => "worked")).toBe("worked");
  rmSync(folder, { recursive: true, force: true });
});

test("work that fails gives the lock back", async () => {
  const name = nameOf("fails");
  await expect(
    withLock(name, () => {
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  expect(existsSync(join(cache, `${name}.lock`))).toBe(false);
});

test("who waits for the lock sees that its holder lives: the lock is touched while the work goes on", async () => {
  const name = nameOf("beat");
  const folder = join(cache, `${name}.lock`);
  await withLock(name, async () => {
    const past = new Date(0);
    utimesSync(folder, past, past);
    while (statSync(folder).mtimeMs === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  });
  expect(existsSync(folder)).toBe(false);
});
