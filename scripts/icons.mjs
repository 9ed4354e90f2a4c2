// Draws the installed page's icons from `public/icon.svg`: that file is rectangles only, so each pixel is covered by plain arithmetic and the same
// pictures come out on every machine. Written by hand into `public/`, and held by test/build/icons.test.ts: `node scripts/icons.mjs`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { isMain, root } from "./paths.mjs";

/** Side of the drawing in its own units. */
const SIDE = 32;
/** Points a pixel is asked at, in each direction. */
const POINTS = 4;

/**
 * `maskable`: full ground, and the drawing within the circle of 80 % that launchers leave. `apple`: full ground, its system rounds it.
 * @typedef {{ file: string, px: number, ground: "rounded" | "full", scale: number }} Icon
 * @type {readonly Icon[]}
 */
export const icons = [
  { file: "icon-192.png", px: 192, ground: "rounded", scale: 1 },
  { file: "icon-512.png", px: 512, ground: "rounded", scale: 1 },
  { file: "icon-maskable-512.png", px: 512, ground: "full", scale: 0.85 },
  { file: "apple-touch-icon.png", px: 180, ground: "full", scale: 1 },
];

/** @typedef {{ x: number, y: number, w: number, h: number, fill: number[] }} Box */

/** @param {string} hex */
const channels = (hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/**
 * The ground and the boxes on it, in order of painting.
 * @returns {{ ground: number[], radius: number, boxes: Box[] }}
 */
function drawing() {
  const svg = readFileSync(join(root, "public", "icon.svg"), "utf8");
  const [, radius = "0", ground = ""] = /<rect[^>]*rx="(\d+)"[^>]*fill="(#\w{6})"/.exec(svg) ?? [];
  const boxes = [...svg.matchAll(/<path fill="(#\w{6})" d="([^"]*)"/g)].flatMap(
    ([, fill = "", path = ""]) =>
      [...path.matchAll(/M(\d+) (\d+)h(\d+)v(\d+)[Hh]-?\d+z/g)].map(([, ...numbers]) => {
        const [x = 0, y = 0, w = 0, h = 0] = numbers.map(Number);
        return { x, y, w, h, fill: channels(fill) };
      }),
  );
  return { ground: channels(ground), radius: Number(radius), boxes };
}

/** @param {number} x @param {number} y @param {number} radius */
function inRounded(x, y, radius) {
  const dx = Math.max(radius - x, x - (SIDE - radius), 0);
  const dy = Math.max(radius - y, y - (SIDE - radius), 0);
  return dx * dx + dy * dy <= radius * radius;
}

/**
 * Rows of RGBA.
 * @param {Icon} icon
 */
export function pixels({ px, ground, scale }) {
  const drawn = drawing();
  const rgba = new Uint8Array(px * px * 4);
  const colourAt = (/** @type {number} */ x, /** @type {number} */ y) => {
    if (ground === "rounded" && !inRounded(x, y, drawn.radius)) return null;
    const u = SIDE / 2 + (x - SIDE / 2) / scale;
    const v = SIDE / 2 + (y - SIDE / 2) / scale;
    const box = drawn.boxes.findLast(
      (one) => u >= one.x && u < one.x + one.w && v >= one.y && v < one.y + one.h,
    );
    return box?.fill ?? drawn.ground;
  };
  for (let at = 0; at < px * px; at++) {
    const sum = [0, 0, 0];
    let covered = 0;
    for (let point = 0; point < POINTS * POINTS; point++) {
      const x = (((at % px) + ((point % POINTS) + 0.5) / POINTS) * SIDE) / px;
      const y = ((Math.floor(at / px) + (Math.floor(point / POINTS) + 0.5) / POINTS) * SIDE) / px;
      const colour = colourAt(x, y);
      if (colour === null) continue;
      covered += 1;
      for (const channel of [0, 1, 2]) sum[channel] = (sum[channel] ?? 0) + (colour[channel] ?? 0);
    }
    if (covered === 0) continue;
    for (const channel of [0, 1, 2])
      rgba[at * 4 + channel] = Math.round((sum[channel] ?? 0) / covered);
    rgba[at * 4 + 3] = Math.round((covered * 255) / (POINTS * POINTS));
  }
  return rgba;
}

/** @param {string} type @param {Uint8Array} data */
function chunk(type, data) {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, "latin1");
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

/**
 * 8 bits a channel, each row without a filter. https://www.w3.org/TR/png-3/
 * @param {Uint8Array} rgba @param {number} px
 */
function png(rgba, px) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(px, 0);
  header.writeUInt32BE(px, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const rows = Buffer.alloc(px * (px * 4 + 1));
  for (let y = 0; y < px; y++)
    rows.set(rgba.subarray(y * px * 4, (y + 1) * px * 4), y * (px * 4 + 1) + 1);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

if (isMain(import.meta.url))
  for (const icon of icons)
    writeFileSync(join(root, "public", icon.file), png(pixels(icon), icon.px));
