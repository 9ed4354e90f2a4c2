// The offline half of the build, a Vite plugin: when the page's files are written, it names the build after them, puts that name into the page, and
// builds the service worker with the list of what to store. While developing, the worker's address answers with one that takes itself
// away: a port that served a built page before would else go on showing that.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { build } from "vite";

const WORKER = "sw.js";
/** What the worker is built from, for the list of licences in the page, which is made before it. */
export const workerPackages = [
  "workbox-core",
  "workbox-precaching",
  "workbox-routing",
  "workbox-strategies",
];

const PLACE = "@@name of this build@@";

/** Source maps, the schema and the build's own notes are no part of what a page needs. @param {string} file */
const isStored = (file) =>
  !file.endsWith(".map") && !/^(\.|schema\/|cli\/)/.test(file) && file !== WORKER;

const takesItselfAway = `addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith("queuescope-pages ")) await caches.delete(name);
  await registration.unregister();
  for (const client of await clients.matchAll({ type: "window" })) await client.navigate(client.url);
})()));
`;

/** @param {string} folder @returns {string[]} paths below it, with slashes, in order */
function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}

/** @param {string | Buffer} content */
const digestOf = (content) => createHash("sha256").update(content).digest("hex").slice(0, 16);

/**
 * What the worker stores, and the name of the build: a digest over all of it. Names below `assets/` carry a hash of their content.
 * @param {string} folder
 */
function storedFiles(folder) {
  const files = filesBelow(folder)
    .filter(isStored)
    .map((url) => ({
      url,
      revision: url.startsWith("assets/") ? null : digestOf(readFileSync(join(folder, url))),
    }));
  return { build: digestOf(JSON.stringify(files)), files };
}

/** @returns {import("vite").Plugin} */
export function offline() {
  /** @type {string} */
  let root;
  return {
    name: "queuescope-offline",
    configResolved(config) {
      root = config.root;
    },
    configureServer(server) {
      server.middlewares.use(`/${WORKER}`, (_, response) => {
        response.setHeader("Content-Type", "text/javascript");
        response.setHeader("Cache-Control", "no-store");
        response.end(takesItselfAway);
      });
    },
    transformIndexHtml: (html, { server }) =>
      server
        ? html
        : {
            html,
            tags: [{ tag: "meta", attrs: { name: "build", content: PLACE }, injectTo: "head" }],
          },
    writeBundle: {
      sequential: true,
      async handler({ dir }) {
        if (dir === undefined) return;
        const made = storedFiles(dir);
        const page = join(dir, "index.html");
        writeFileSync(page, readFileSync(page, "utf8").replace(PLACE, made.build));
        await build({
          configFile: false,
          root,
          publicDir: false,
          logLevel: "warn",
          define: {
            QUEUESCOPE_BUILD: JSON.stringify(made),
            "process.env.NODE_ENV": JSON.stringify("production"),
          },
          build: {
            outDir: dir,
            emptyOutDir: false,
            copyPublicDir: false,
            target: ["chrome111", "firefox115", "safari16.4"],
            // One classic file: not every browser above runs modules as service workers.
            lib: {
              entry: join(root, "src", "offline", "serviceWorker.ts"),
              formats: ["iife"],
              name: "queuescopeOffline",
              fileName: () => WORKER,
            },
          },
        });
      },
    },
  };
}
