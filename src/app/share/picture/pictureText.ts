/**
 * What a picture says of where it comes from: its link, or, where the document is too long for one, the scenario itself. In a PNG it is an iTXt chunk
 * (PNG 1.2, 11.3.4.5) before the end, in an SVG a `metadata` element; both survive copying of the file, not every upload elsewhere. What is read is
 * hostile until the link or scenario has been read as any other.
 */
import { crc32 } from "../../../base/crc32.ts";
import { LIMITS } from "../../../model/limits.ts";
import { escapeXml, unescapeXml } from "./escapeXml.ts";

export interface PictureText {
  readonly kind: "link" | "scenario";
  readonly text: string;
}

const KEYWORDS = { link: "Queuescope link", scenario: "Queuescope scenario" } as const;
const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];
/** Length, type and checksum of a chunk. */
const FRAME_BYTES = 12;
const END_BYTES = 12;

/** The PNG with one chunk more. */
export function withPngText(png: Uint8Array, { kind, text }: PictureText): Uint8Array<ArrayBuffer> {
  // Keyword, not compressed, no language, no translated keyword.
  const content = new TextEncoder().encode(`iTXt${KEYWORDS[kind]}\0\0\0\0\0${text}`);
  const out = new Uint8Array(png.length + content.length + FRAME_BYTES - 4);
  const view = new DataView(out.buffer);
  const at = png.length - END_BYTES;
  out.set(png.subarray(0, at));
  view.setUint32(at, content.length - 4);
  out.set(content, at + 4);
  view.setUint32(at + 4 + content.length, crc32(content));
  out.set(png.subarray(at), at + 8 + content.length);
  return out;
}

function isPng(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, at) => bytes[at] === byte);
}

/** The text of a PNG or SVG that this program made; null where there is none. O(bytes). */
export function pictureTextOf(bytes: Uint8Array): PictureText | null {
  return isPng(bytes) ? pngText(bytes) : svgText(bytes);
}

function pngText(bytes: Uint8Array): PictureText | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoder = new TextDecoder();
  for (let at = SIGNATURE.length; at + FRAME_BYTES <= bytes.length; ) {
    const length = view.getUint32(at);
    const end = at + 8 + length;
    if (end + 4 > bytes.length) return null;
    const type = decoder.decode(bytes.subarray(at + 4, at + 8));
    if (type === "iTXt") {
      const content = bytes.subarray(at + 8, end);
      const zero = content.indexOf(0);
      const keyword = decoder.decode(content.subarray(0, Math.max(0, zero)));
      const kind = kindOf(keyword);
      const sound = crc32(bytes.subarray(at + 4, end)) === view.getUint32(end);
      if (kind !== null && sound && content.length - zero - 5 <= LIMITS.documentBytes)
        return { kind, text: decoder.decode(content.subarray(zero + 5)) };
    }
    at = end + 4;
  }
  return null;
}

function kindOf(keyword: string): PictureText["kind"] | null {
  return keyword === KEYWORDS.link ? "link" : keyword === KEYWORDS.scenario ? "scenario" : null;
}

export function svgMetadata({ kind, text }: PictureText): string {
  return `<metadata id="queuescope-${kind}">${escapeXml(text)}</metadata>`;
}

function svgText(bytes: Uint8Array): PictureText | null {
  const text = new TextDecoder().decode(bytes);
  const found = /<metadata id="queuescope-(link|scenario)">([^<]*)<\/metadata>/.exec(text);
  return found
    ? { kind: found[1] as PictureText["kind"], text: unescapeXml(found[2] ?? "") }
    : null;
}
