/** SHA-256 of a file. The platform's own is fast but only there in secure contexts; the library gives the same anywhere. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** Lower-case hex. */
export async function sha256Hex(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { subtle } = crypto;
  if (subtle === undefined) return bytesToHex(sha256(bytes));
  return bytesToHex(new Uint8Array(await subtle.digest("SHA-256", bytes)));
}
