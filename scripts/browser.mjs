// Finds a browser for the tests: QUEUESCOPE_CHROME, an installed Chromium, Chrome or Edge, Debian's package when root, Playwright's
// download. Only the tests need one; the product never does.
import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { fileExists, say } from "./paths.mjs";
import { run } from "./run.mjs";

const names = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "microsoft-edge",
  "microsoft-edge-stable",
];

const fixedPlaces = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ...["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].flatMap((variable) => {
    const base = process.env[variable];
    if (base === undefined) return [];
    return [
      join(base, "Google", "Chrome", "Application", "chrome.exe"),
      join(base, "Microsoft", "Edge", "Application", "msedge.exe"),
    ];
  }),
];

export const remedy =
  "install Chromium, Chrome or Edge, or set QUEUESCOPE_CHROME to the program file of one, and run npm test again";

/** A browser that is already here and starts, or null. */
export async function installedBrowser() {
  const named = process.env.QUEUESCOPE_CHROME;
  if (named !== undefined && named !== "") {
    if (starts(named)) return named;
    say(`QUEUESCOPE_CHROME names ${named}, which does not start; looking for another browser`);
  }
  const inPath = (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  const { chromium } = await import("@playwright/test");
  const candidates = [...inPath, ...fixedPlaces, chromium.executablePath()];
  return candidates.find((path) => path !== "" && fileExists(path) && starts(path)) ?? null;
}

/** A browser, fetched if there is none here; null when that fails too. */
export async function findBrowser() {
  const here = await installedBrowser();
  if (here !== null) return here;
  if (fromDebian()) {
    const installed = await installedBrowser();
    if (installed !== null) return installed;
  }
  say("downloading a browser for the tests (playwright install chromium)");
  await run("playwright", ["install", "chromium"], { stdout: "stderr" });
  return installedBrowser();
}

/** Some systems ship a stub under a browser's name, so each candidate is asked for its version. @param {string} path */
function starts(path) {
  if (process.platform === "win32") return fileExists(path);
  const answer = spawnSync(path, ["--version"], { encoding: "utf8", timeout: 20_000 });
  return answer.status === 0 && /\d+\.\d+/.test(answer.stdout);
}

function fromDebian() {
  if (
    process.platform !== "linux" ||
    process.getuid?.() !== 0 ||
    !fileExists("/etc/debian_version")
  )
    return false;
  say("installing the chromium package of this system for the browser tests");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (/** @type {string[]} */ ...args) =>
    spawnSync("apt-get", args, { stdio: ["ignore", 2, 2], env, timeout: 600_000 }).status === 0;
  const install = () =>
    apt("install", "-y", "--no-install-recommends", "chromium", "fonts-liberation");
  return install() || (apt("update") && install());
}
