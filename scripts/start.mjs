// `npm start`: set up, build when the sources are newer, serve. Needs no browser. Prints the address alone on a line of standard
// output once it answers; everything else goes to standard error.
import "./nodeVersion.mjs";
import { createServer } from "node:net";
import { ensureBuilt } from "./build.mjs";
import { say } from "./paths.mjs";
import { portWanted, reportTaken, serveUntilStopped } from "./serve.mjs";
import { setup } from "./setup.mjs";

const port = portWanted();
// Asked before the work, so that a taken port is told at once and not after a build.
if (await taken(port)) {
  reportTaken(port);
  process.exit(1);
}
await setup();
await ensureBuilt("page");
say("serving; stop with Ctrl+C");
await serveUntilStopped(port);

/** @param {number} port @returns {Promise<boolean>} */
function taken(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error) =>
      resolve(/** @type {NodeJS.ErrnoException} */ (error).code === "EADDRINUSE"),
    );
    probe.listen({ port, host: process.env.HOST ?? "127.0.0.1", exclusive: true }, () =>
      probe.close(() => resolve(false)),
    );
  });
}
