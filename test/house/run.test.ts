/** Steps of a command run one after the other; a signal ends the command and not just its present step. */
import { spawn } from "node:child_process";
import { expect, test } from "vitest";

const runModule = new URL("../../scripts/run.mjs", import.meta.url).href;

/** A command of two steps; the first says "first" and stays, the second would say "second". */
const command = `
  import { spawn } from "node:child_process";
  import { waitFor } from ${JSON.stringify(runModule)};
  const step = (code) => waitFor(spawn(process.execPath, ["-e", code], { stdio: ["ignore", "inherit", "inherit"] }));
  await step("console.log('first'); setInterval(() => {}, 1000)");
  await step("console.log('second')");
`;

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s ends the step and no further step begins", async (signal, status) => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", command], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    if (said === "first\n") child.kill(signal);
  });
  const ended = await new Promise((resolve) => child.on("close", resolve));
  expect(said).toBe("first\n");
  expect(ended).toBe(status);
});
