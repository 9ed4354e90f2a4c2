/** The house rules, held by a test: layers, globals, exports, folders, migrations, lock file. Each check first proves that it sees a planted violation. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import {
  deadFiles,
  exportViolations,
  globalViolations,
  importViolations,
  lengthViolations,
  lockFileViolations,
  machinePathViolations,
  migrationViolations,
  readmeViolations,
  unusedExports,
} from "./tidy/checks.ts";
import { dependencyViolations, namedFileViolations, tableViolations } from "./tidy/documents.ts";
import type { SourceFile } from "./tidy/source.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

function filesBelow(folder: string): SourceFile[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(join(root, path)).isDirectory()) return filesBelow(path);
    if (!/\.(tsx?|mjs|css|json|md|html|svg|txt|yml|yaml)$/.test(name)) return [];
    return [{ path: relative(".", path).split(sep).join("/"), text: read(path) }];
  });
}
const read = (path: string) => readFileSync(join(root, path), "utf8");
const planted = (path: string, text: string): SourceFile => ({ path, text });

const src = filesBelow("src");
const others = ["test", "e2e", "bench", "scripts", "docs"].flatMap(filesBelow);

describe("imports follow the layers", () => {
  test("the check sees a planted import against the direction", () => {
    expect(
      importViolations([
        planted("src/model/a.ts", 'import { run } from "../engine/run.ts";'),
        planted("src/panels/gantt/G.tsx", 'import { Q } from "../queues/Q.tsx";\nconst a = <p />;'),
        planted("src/app/a.ts", 'const engine = await import("../engine/simulation.ts");'),
        planted("src/engine/b.ts", 'import { useState } from "react";'),
        planted("src/metrics/c.ts", 'import { scenarioSchema } from "../scenario/schema.ts";'),
        planted("src/scenario/d.ts", 'import * as z from "zod";'),
      ]),
    ).toEqual([
      "src/model/a.ts: model may not import ../engine/run.ts",
      "src/panels/gantt/G.tsx: panels may not import ../queues/Q.tsx",
      "src/app/a.ts: app may not import ../engine/simulation.ts",
      "src/engine/b.ts: engine may not import react",
      "src/metrics/c.ts: metrics may not import ../scenario/schema.ts",
      "src/scenario/d.ts: scenario may not import zod",
    ]);
  });
  test("types may cross where only types may", () => {
    expect(
      importViolations([
        planted("src/metrics/c.ts", 'import type { Scenario } from "../scenario/schema.ts";'),
        planted("src/app/a.ts", 'import { type View } from "../engine/view.ts";'),
      ]),
    ).toEqual([]);
  });
  test("the sources keep to the layers", () => expect(importViolations(src)).toEqual([]));
});

describe("what must run everywhere touches nothing of one place", () => {
  test("the check sees planted clocks, dice and inexact functions, and no local namesake", () => {
    expect(
      globalViolations([
        planted(
          "src/engine/a.ts",
          `const now: Date | null = null; // a type is no use
           export const t = Date.now() + performance.now() + Math.random() + Math.pow(2, 3);
           export const w = globalThis.window;
           export const s = Math["sin"](1);
           export const f = (performance: number, o: { Date: number }) => performance + o.Date + Math.floor(1);
           export const l = "a".localeCompare("b");`,
        ),
        planted("src/panels/x/b.ts", "export const t = Date.now();"),
      ]),
    ).toEqual([
      "src/engine/a.ts: Date.now differs between places or runs",
      "src/engine/a.ts: performance.now differs between places or runs",
      "src/engine/a.ts: Math.random differs between places or runs",
      "src/engine/a.ts: Math.pow differs between places or runs",
      "src/engine/a.ts: globalThis.window differs between places or runs",
      "src/engine/a.ts: Math.[…] differs between places or runs",
      "src/engine/a.ts: .localeCompare differs between places or runs",
    ]);
  });
  test("the sources do not", () => expect(globalViolations(src)).toEqual([]));
});

describe("a name has one home", () => {
  test("the check sees a planted default export and a planted barrel", () => {
    expect(
      exportViolations([
        planted("src/base/a.ts", "export default 3;"),
        planted("src/base/b.ts", "const a = 1;\nexport { a as default };"),
        planted("src/base/index.ts", 'export { x } from "./x.ts";\nexport * from "./y.ts";'),
      ]),
    ).toEqual([
      "src/base/a.ts: default export",
      "src/base/b.ts: default export",
      "src/base/index.ts: hands on ./x.ts",
      "src/base/index.ts: hands on ./y.ts",
    ]);
  });
  test("the sources have neither", () => expect(exportViolations(src)).toEqual([]));
});

describe("every file is used", () => {
  test("the check sees a planted dead file and follows workers", () => {
    const files = [
      planted("src/app/main.tsx", 'new Worker(new URL("../worker/host.ts", import.meta.url));'),
      planted("src/worker/host.ts", 'import type { A } from "../base/a.ts";'),
      planted("src/base/a.ts", "export type A = 1;"),
      planted("src/base/dead.ts", "export const d = 1;"),
    ];
    expect(deadFiles(files, ["src/app/main.tsx"])).toEqual(["src/base/dead.ts: nothing uses it"]);
  });
  test("in the sources", () => {
    const entries = [
      "src/app/main.tsx",
      "src/cli/main.ts",
      "src/offline/serviceWorker.ts",
      ...others.map((file) => file.path).filter((path) => /\.(ts|tsx)$/.test(path)),
    ];
    expect(deadFiles([...src, ...others], entries)).toEqual([]);
  });
});

describe("an export has a user", () => {
  test("the check sees a planted export for nobody", () => {
    const files = [
      planted("src/base/a.ts", "export const lonely = 1;\nexport function used() {}"),
      planted("test/base/a.test.ts", 'import { used } from "../../src/base/a.ts";'),
    ];
    expect(unusedExports(files)).toEqual(["src/base/a.ts: nobody else uses lonely"]);
  });
  test("in the sources", () => expect(unusedExports([...src, ...others])).toEqual([]));
});

describe("every folder says what lives in it", () => {
  test("the check sees a planted folder without README and one that tells too much", () => {
    expect(
      readmeViolations([
        planted("src/base/a.ts", ""),
        planted("src/model/a.ts", ""),
        planted("src/model/README.md", "line\n".repeat(16)),
      ]),
    ).toEqual(["src/base: no README.md", "src/model/README.md: 16 lines"]);
  });
  test("in the sources", () => expect(readmeViolations(src)).toEqual([]));
});

describe("a file holds one idea", () => {
  test("the check sees a planted file of 401 lines", () => {
    expect(lengthViolations([planted("src/base/a.ts", "x;\n".repeat(401))])).toEqual([
      "src/base/a.ts: 401 lines",
    ]);
  });
  test("in the sources", () => expect(lengthViolations(src)).toEqual([]));
});

describe("released migrations are frozen", () => {
  const path = "src/scenario/migrations/to2.ts";
  test("the check sees a planted edit and a planted removal", () => {
    expect(migrationViolations([planted(path, "edited")], { [path]: "0" })).toHaveLength(1);
    expect(migrationViolations([], { [path]: "0" })).toEqual([
      `${path}: a released migration is gone`,
    ]);
  });
  test("in the sources", () => {
    const released = JSON.parse(read("test/tidy/released-migrations.json"));
    expect(migrationViolations(src, released)).toEqual([]);
  });
});

describe("the lock file serves every registry and platform", () => {
  test("the check sees a planted host", () => {
    const entry = { resolved: "https://registry.example/a.tgz", os: ["linux", "darwin", "win32"] };
    expect(lockFileViolations(JSON.stringify({ packages: { a: entry } }))).toEqual([
      "package-lock.json: a names https://registry.example/a.tgz",
    ]);
    expect(lockFileViolations(JSON.stringify({ packages: {} }))).toHaveLength(3);
  });
  test("the check sees a planted package that is named and not held", () => {
    const os = ["linux", "darwin", "win32"];
    const lock = { packages: { a: { os, optionalDependencies: { b: "1" } } } };
    expect(lockFileViolations(JSON.stringify(lock))).toEqual([
      "package-lock.json: a needs b, which is not in it",
    ]);
  });
  test("and names none", () => expect(lockFileViolations(read("package-lock.json"))).toEqual([]));
});

describe("documents tell what the sources do", () => {
  const layer = { imports: ["base"], packages: [], pure: true };
  const layers = {
    base: { ...layer, imports: [] },
    model: layer,
    engine: { ...layer, imports: ["base", "model"], types: ["cli"] },
    cli: { ...layer, imports: ["base", "model", "engine"] },
  };
  const row = (name: string, cell: string) => `| \`${name}\` | what | ${cell} |\n`;
  const table =
    row("base", "nothing") +
    row("model", "base") +
    row("engine", "all but cli; types of cli") +
    row("cli", "everything above");

  test("the check sees a planted row that tells too little, a folder without a row and a row without a folder", () => {
    const folders = Object.keys(layers);
    expect(tableViolations(table, folders, layers)).toEqual([]);
    expect(tableViolations(table.replace("all but", "model, all but"), folders, layers)).toEqual([
      'engine: told "all but cli, model; types of cli", held "base, model; types of cli"',
    ]);
    expect(tableViolations(table.replace("| base |", "| nothing |"), folders, layers)).toEqual([
      'model: told "", held "base"',
    ]);
    expect(tableViolations(table, ["base", "model", "engine", "new"], layers)).toEqual([
      "cli: no such folder",
      "new: not in the table of layers",
    ]);
  });
  test("ARCHITECTURE.md tells the layers", () => {
    const folders = new Set(src.map((file) => file.path.split("/")[1]!));
    expect(tableViolations(read("ARCHITECTURE.md"), [...folders])).toEqual([]);
  });
  test("the check sees a planted package that nothing imports and one without a reason", () => {
    const files = [planted("src/base/a.ts", 'import x from "@a/b/c";\nimport { y } from "d";')];
    expect(dependencyViolations(["@a/b", "d", "e"], files, "| @a/b, e | why |")).toEqual([
      "d: no reason in the record of dependencies",
      "e: nothing imports it",
    ]);
  });
  test("every package that users load is imported, and its reason is written down", () => {
    const packages = Object.keys(JSON.parse(read("package.json")).dependencies);
    const record = read("docs/adr/0001-dependencies.md");
    expect(dependencyViolations(packages, src, record)).toEqual([]);
  });
});

describe("a file named in a guide or a comment is there", () => {
  test("the check sees a planted name of a file that has gone", () => {
    const files = [
      planted(
        "src/base/README.md",
        "`a.ts`, `model/b.ts` and `docs/c.md` are there, `gone.ts` is not",
      ),
    ];
    const there = ["src/base/a.ts", "src/model/b.ts", "docs/c.md"];
    expect(namedFileViolations(files, (path) => there.includes(path))).toEqual([
      "src/base/README.md: there is no gone.ts",
    ]);
  });
  test("in sources and documents", () => {
    const top = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];
    const docs = others.filter((file) => /^(docs|bench)\/.*\.md$/.test(file.path));
    const files = [...src, ...docs, ...top.map((path) => ({ path, text: read(path) }))];
    expect(namedFileViolations(files, (path) => existsSync(join(root, path)))).toEqual([]);
  });
});

describe("nothing knows one machine", () => {
  test("the check sees a planted path", () => {
    const path = ["", "home", "someone"].join("/");
    expect(machinePathViolations([planted("docs/a.md", `see ${path}/x`)])).toEqual([
      `docs/a.md: ${path}`,
    ]);
  });
  test("in any text of the project", () => {
    const top = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "package.json"];
    const files = [...src, ...others, ...top.map((path) => ({ path, text: read(path) }))];
    expect(machinePathViolations(files)).toEqual([]);
  });
});
