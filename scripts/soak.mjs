// `npm run soak [-- SEEDS]`: the random scenarios of test/soak with many more seeds than the gate runs (default 1,000).
import "./nodeVersion.mjs";
import { say } from "./paths.mjs";
import { run } from "./run.mjs";
import { setup } from "./setup.mjs";

const seeds = process.argv[2] ?? "1000";
if (!/^[1-9]\d*$/.test(seeds)) {
  say(`"${seeds}" is no number of seeds; for example: npm run soak -- 500`);
  process.exit(2);
}
await setup();
process.env.TZ = "UTC";
process.exitCode = await run("vitest", ["run", "--project", "slow", "--testTimeout", "0"], {
  env: { QUEUESCOPE_SOAK_SEEDS: seeds },
});
