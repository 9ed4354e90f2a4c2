// `npm run test:firefox`: builds, finds a Firefox (`QUEUESCOPE_FIREFOX`, the usual places) and compares digests in it with Node's.
// Without a Firefox it says so with the remedy and counts one skipped; exit status 1 when `CI` is set.
import { join } from "node:path";
import { fileExists, root, say } from "../../scripts/paths.mjs";
import { run } from "../../scripts/run.mjs";
import { setup } from "../../scripts/setup.mjs";

const places = [
  process.env.QUEUESCOPE_FIREFOX,
  "/usr/bin/firefox",
  "/usr/bin/firefox-esr",
  "/snap/bin/firefox",
  "/usr/local/bin/firefox",
  "/Applications/Firefox.app/Contents/MacOS/firefox",
  "C:\\Program Files\\Mozilla Firefox\\firefox.exe",
];
const firefox = places.find((path) => path !== undefined && path !== "" && fileExists(path));
const inCi = !["", "0", "false", undefined].includes(process.env.CI);

if (firefox === undefined) {
  say("no Firefox was found: install one, or name it in QUEUESCOPE_FIREFOX");
  process.stdout.write("0 passed, 0 failed, 1 skipped\n");
  process.exitCode = inCi ? 1 : 0;
} else {
  await setup();
  say(`browser: ${firefox}`);
  process.exitCode =
    (await run("build", [])) ||
    (await run("playwright", ["test", "-c", join(root, "e2e", "firefox", "playwright.config.ts")], {
      env: { QUEUESCOPE_FIREFOX: firefox },
    }));
}
