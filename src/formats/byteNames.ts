/**
 * Texts of a file, each met once: a stretch of bytes is looked up by its hash and compared byte by byte, so that a column of a million
 * rows with a hundred names makes a hundred strings.
 */
const EMPTY = -1;

export class ByteNames {
  readonly list: string[] = [];
  readonly #known: Uint8Array[] = [];
  #slots = new Int32Array(256).fill(EMPTY);
  readonly #decoder = new TextDecoder();

  /** The number of the text in `bytes[from … to−1]`, new or old. O(length). */
  add(bytes: Uint8Array, from: number, to: number): number {
    const mask = this.#slots.length - 1;
    let slot = hashOf(bytes, from, to) & mask;
    for (;;) {
      const number = this.#slots[slot]!;
      if (number === EMPTY) break;
      if (isSame(this.#known[number]!, bytes, from, to)) return number;
      slot = (slot + 1) & mask;
    }
    const number = this.list.length;
    this.#slots[slot] = number;
    this.#known.push(bytes.slice(from, to));
    this.list.push(this.#decoder.decode(this.#known[number]!));
    if (this.list.length * 2 > this.#slots.length) this.#grow();
    return number;
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 4).fill(EMPTY);
    this.#known.forEach((known, number) => {
      let slot = hashOf(known, 0, known.length) & (slots.length - 1);
      while (slots[slot] !== EMPTY) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = number;
    });
    this.#slots = slots;
  }
}

/** FNV-1a, mixed at the end because only the low bits choose the slot. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return hash ^ (hash >>> 15);
}

function isSame(known: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (known.length !== to - from) return false;
  for (let at = 0; at < known.length; at++) if (known[at] !== bytes[from + at]) return false;
  return true;
}
