/** Texts by number as one text and the places where each ends: one string and a few buffers cross between threads more quickly than a hundred thousand strings. Read by `joinedTexts.ts`, which is no part of the worker. */

export interface Joined {
  /** Rising; null: 0, 1, 2, … */
  readonly keys: Uint32Array<ArrayBuffer> | null;
  readonly ends: Uint32Array<ArrayBuffer>;
  readonly text: string;
}

/** O(texts), O(n log n) where they are out of order. */
export function joinTexts(texts: ReadonlyMap<number, string>): Joined {
  let keys = Uint32Array.from(texts.keys());
  const isRising = keys.every((key, i) => i === 0 || key > keys[i - 1]!);
  if (!isRising) keys = keys.sort();
  const parts = isRising ? [...texts.values()] : Array.from(keys, (key) => texts.get(key)!);
  const ends = new Uint32Array(parts.length);
  let end = 0;
  for (const [i, part] of parts.entries()) {
    end += part.length;
    ends[i] = end;
  }
  const isDense = keys.length === 0 || keys.at(-1) === keys.length - 1;
  return { keys: isDense ? null : keys, ends, text: parts.join("") };
}
