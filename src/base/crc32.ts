/** CRC-32 as gzip and PNG use it (RFC 1952, section 8): polynomial 0xEDB88320, a table of 256 steps. */
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++)
    rest = (rest & 1) !== 0 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** Continues a checksum over more bytes; start with 0. Unsigned. O(bytes). */
export function crc32(bytes: Uint8Array, before = 0): number {
  let rest = ~before;
  for (let at = 0; at < bytes.length; at++) {
    rest = TABLE[(rest ^ bytes[at]!) & 255]! ^ (rest >>> 8);
  }
  return ~rest >>> 0;
}
