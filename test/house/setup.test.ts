import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dropLink } from "../../scripts/setup.mjs";

test("packages of another checkout are not installed over: only the link to them goes", () => {
  const folder = mkdtempSync(join(tmpdir(), "setup-"));
  const [theirs, link] = [join(folder, "theirs"), join(folder, "node_modules")];
  mkdirSync(theirs);
  writeFileSync(join(theirs, "package"), "");
  dropLink(link);
  symlinkSync(theirs, link, "dir");
  dropLink(link);
  expect(existsSync(link)).toBe(false);
  dropLink(theirs);
  expect(existsSync(join(theirs, "package"))).toBe(true);
  rmSync(folder, { recursive: true });
});
