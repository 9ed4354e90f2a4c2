// `npm run -s queuescope -- …` and `npm run -s conformance -- …`: set up and build when needed (messages on standard error), then run
// the bundled program in this process, so that its exit status and output are the call's own.
import "./nodeVersion.mjs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureBuilt } from "./build.mjs";
import { dist } from "./paths.mjs";
import { setup } from "./setup.mjs";

await setup();
await ensureBuilt("cli");
const program = join(dist, "cli", "queuescope.js");
process.argv[1] = program;
// npm changes to the package's folder; paths in the call are meant from where the user stands.
if (process.env.INIT_CWD !== undefined) process.chdir(process.env.INIT_CWD);
await import(pathToFileURL(program).href);
