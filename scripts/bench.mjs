// `npm run bench [NAME…]`: measures, never a gate. Each folder of bench/ is one bench, entered by its main.ts, bundled like the headless
// program and run with the collector at hand. Tables go to standard output, one JSON line a bench at its end.
import "./nodeVersion.mjs";
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { cache, fileExists, root, say } from "./paths.mjs";
import { setup } from "./setup.mjs";

await setup();
const known = readdirSync(join(root, "bench")).filter((name) =>
  fileExists(join(root, "bench", name, "main.ts")),
);
const wanted = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const options = process.argv.slice(2).filter((word) => word.startsWith("-"));
const unknown = wanted.find((name) => !known.includes(name));
if (unknown !== undefined) {
  say(`there is no bench "${unknown}"; there are: ${known.join(", ")}`);
  process.exit(2);
}
for (const name of wanted.length > 0 ? wanted : known) {
  const status = await runBench(name);
  if (status !== 0) process.exitCode = 1;
}

/** @param {string} name @returns {Promise<number>} */
async function runBench(name) {
  const { build } = await import("vite");
  const outDir = join(cache, "bench");
  await build({
    root,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    ssr: { target: "node" },
    build: {
      ssr: join("bench", name, "main.ts"),
      outDir,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { output: { entryFileNames: `${name}.mjs`, codeSplitting: false } },
    },
  });
  const args = [
    "--expose-gc",
    "--max-old-space-size=4096",
    join(outDir, `${name}.mjs`),
    ...options,
  ];
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  return new Promise((resolve) => {
    child.on("error", () => resolve(1));
    child.on("close", (status) => resolve(status ?? 1));
  });
}
