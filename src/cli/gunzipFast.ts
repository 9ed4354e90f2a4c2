/** Gzip files through Node's own library: what `formats/gunzip.ts` does, in a sixth of the time, as far as there is no doubt. */
import { gunzipSync } from "node:zlib";
import { isGzip } from "../formats/gunzip.ts";
import { LIMITS } from "../model/limits.ts";

/**
 * The unpacked bytes of a sound gzip file of one member; all others as they came, so that the reader unpacks them or says what is
 * wrong. O(unpacked bytes).
 */
export function gunzipFast(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (!isGzip(bytes)) return bytes;
  try {
    const whole = new Uint8Array(gunzipSync(bytes, { maxOutputLength: LIMITS.traceBytes }));
    const saidBytes = new DataView(bytes.buffer).getUint32(bytes.length - 4, true);
    return saidBytes === whole.length && !isGzip(whole) ? whole : bytes;
  } catch {
    return bytes;
  }
}
