// The packages that the page and its worker are built from, with their licences, put into the built page: a Vite plugin for both builds.
// Every module that is read names its package; the text that `src/app/about/built.ts` holds is replaced when all are known.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const PLACE = "@@what this page is built from@@";

/** @typedef {{ name: string, version: string, licence: string, text: number }} Licence */

/**
 * The folder of the package that a module belongs to.
 * @param {string} id
 */
function packageFolder(id) {
  const path = id.replace(/^\0/, "").split("?")[0] ?? "";
  const at = path.lastIndexOf("/node_modules/");
  if (at < 0) return null;
  const [scope = "", name = ""] = path.slice(at + 14).split("/");
  const folder = join(path.slice(0, at), "node_modules", scope, scope.startsWith("@") ? name : "");
  return existsSync(join(folder, "package.json")) ? folder : null;
}

/**
 * The licence's own words, as the package carries them.
 * @param {string} folder
 */
function licenceText(folder) {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  return names
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf8").trim())
    .join("\n\n");
}

/**
 * @param {ReadonlySet<string>} folders
 * @param {string} version
 */
function listed(folders, version) {
  /** @type {string[]} */
  const texts = [];
  /** @type {Licence[]} */
  const packages = [];
  for (const folder of folders) {
    const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const text = licenceText(folder);
    if (text !== "" && !texts.includes(text)) texts.push(text);
    packages.push({
      name: about.name,
      version: about.version,
      licence: about.license ?? "see its text",
      text: texts.indexOf(text),
    });
  }
  packages.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return { version, packages, texts };
}

/**
 * One plugin for the page, one for its worker: they share what they have seen.
 * @param {readonly string[]} also packages of what is built after the page
 */
export function licences(also = []) {
  const folders = new Set(
    also.map((name) => join(dirname(import.meta.dirname), "node_modules", name)),
  );
  const see = (/** @type {{ id: string }} */ { id }) => {
    const folder = packageFolder(id);
    if (folder !== null) folders.add(folder);
  };
  return {
    /** @type {import("vite").Plugin} */
    page: {
      name: "queuescope-licences",
      apply: "build",
      moduleParsed: see,
      renderChunk(code) {
        if (!code.includes(PLACE)) return null;
        const root = JSON.parse(
          readFileSync(join(dirname(import.meta.dirname), "package.json"), "utf8"),
        );
        const text = JSON.stringify(JSON.stringify(listed(folders, root.version)));
        return {
          code: code.replace(/(["'`])@@what this page is built from@@\1/, () => text),
          map: null,
        };
      },
    },
    /** @type {import("vite").Plugin} */
    worker: { name: "queuescope-licences-worker", apply: "build", moduleParsed: see },
  };
}
