// Serves `dist/` on this machine: a static server of Node's built-ins. It answers only to GET and HEAD, never leaves its folder, and
// sends the same Content-Security-Policy that the page carries itself. A path that names no file leads to the page: all state is in
// the fragment, which survives the redirect.
//
//     PORT=4173 node scripts/serve.mjs
import { createReadStream, readFileSync, realpathSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, relative, resolve, sep } from "node:path";
import { dist, isMain, root, say } from "./paths.mjs";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
  ".txt": "text/plain; charset=utf-8",
  ".gz": "application/gzip",
};

const csp = Object.entries(JSON.parse(readFileSync(join(root, "scripts", "csp.json"), "utf8")))
  .map(([directive, sources]) => `${directive} ${sources}`)
  .join("; ");

const securityHeaders = {
  "Content-Security-Policy": csp,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
};

/** The port from the environment, or the usual one; a message and the end when it is no port. */
export function portWanted() {
  const text = process.env.PORT || "4173";
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  say(`PORT is "${text}"; it must be a whole number from 1 to 65535`);
  process.exit(1);
}

/**
 * Starts to serve a folder and resolves when the address answers. IPv4 and IPv6 loopback both, because browsers differ in what
 * they try first for `localhost`; `HOST` chooses another interface. Rejects with code EADDRINUSE when the port is taken.
 * @param {number} port
 * @param {string} folder
 * @returns {Promise<() => void>} closes the server
 */
export async function serve(port, folder = dist) {
  const hosts = process.env.HOST === undefined ? ["127.0.0.1", "::1"] : [process.env.HOST];
  /** @type {import("node:http").Server[]} */
  const servers = [];
  for (const host of hosts) {
    const server = createServer((request, response) => answer(folder, request, response));
    try {
      await listen(server, port, host);
      servers.push(server);
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      // A machine without IPv6 is served on IPv4 alone.
      if (host === "::1" && (code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT")) continue;
      for (const started of servers) started.close();
      throw error;
    }
  }
  return () => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  };
}

/** Serves until a signal comes; the only line on standard output is the address. @param {number} port */
export async function serveUntilStopped(port) {
  let close;
  try {
    close = await serve(port);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EADDRINUSE") reportTaken(port);
    else say(`cannot serve on port ${port}: ${/** @type {Error} */ (error).message}`);
    process.exit(1);
  }
  process.stdout.write(`http://localhost:${port}\n`);
  const stop = () => {
    close();
    process.exit(0);
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
}

/** @param {number} port */
export function reportTaken(port) {
  say(
    `port ${port} is taken by another program; choose another with PORT, for example: PORT=${port + 1} npm start`,
  );
}

/**
 * @param {import("node:http").Server} server
 * @param {number} port
 * @param {string} host
 * @returns {Promise<void>}
 */
function listen(server, port, host) {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, exclusive: true }, () => {
      server.removeListener("error", reject);
      resolve();
    });
  });
}

/**
 * @param {string} folder
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 */
function answer(folder, request, response) {
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { ...securityHeaders, Allow: "GET, HEAD" }).end();
    return;
  }
  const file = fileFor(folder, request.url ?? "/");
  if (file === "page") {
    response.writeHead(302, { ...securityHeaders, Location: "/" }).end();
    return;
  }
  if (file === "building") {
    response
      .writeHead(503, { ...securityHeaders, "Content-Type": types[".txt"], "Retry-After": "5" })
      .end("The page is being built. Load it again in a moment.\n");
    return;
  }
  if (file === null) {
    response
      .writeHead(404, { ...securityHeaders, "Content-Type": types[".txt"] })
      .end("Not found\n");
    return;
  }
  response.writeHead(200, {
    ...securityHeaders,
    "Content-Type":
      types[/** @type {keyof typeof types} */ (extname(file.path))] ?? "application/octet-stream",
    "Content-Length": file.bytes,
    // Names under assets/ carry a hash of their content.
    "Cache-Control": file.path.includes(`${sep}assets${sep}`)
      ? "public, max-age=31536000, immutable"
      : "no-cache",
  });
  if (request.method === "HEAD") response.end();
  else
    createReadStream(file.path)
      .on("error", () => response.destroy())
      .pipe(response);
}

/**
 * The file that answers a request, `"page"` for a path that could name a screen, `"building"` while there is no page, or null.
 * @param {string} folder
 * @param {string} url
 */
function fileFor(folder, url) {
  const base = resolve(folder);
  let path;
  try {
    path = decodeURIComponent(url.split(/[?#]/, 1)[0] ?? "/");
  } catch {
    return null;
  }
  if (path.includes("\0") || path.includes("\\")) return null;
  const wanted = resolve(base, `.${path.startsWith("/") ? path : `/${path}`}`);
  if (wanted !== base && !wanted.startsWith(base + sep)) return null;
  // Stamps and the build's manifest are nobody's business.
  if (
    relative(base, wanted)
      .split(sep)
      .some((part) => part.startsWith("."))
  )
    return null;
  const found = plainFile(base, wanted) ?? plainFile(base, join(wanted, "index.html"));
  if (found !== null) return found;
  // Without its page (a build is under way) a way to the page would lead in a circle.
  if (wanted === base) return "building";
  return extname(path) === "" ? "page" : null;
}

/** @param {string} base @param {string} path */
function plainFile(base, path) {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return null;
    // A link inside the folder must not lead out of it.
    if (!realpathSync(path).startsWith(realpathSync(base) + sep)) return null;
    return { path, bytes: stats.size };
  } catch {
    return null;
  }
}

if (isMain(import.meta.url)) await serveUntilStopped(portWanted());
