/** Reading and writing one cell of a plain document by its JSON pointer. */

type Tree = Record<string, unknown>;

const wordsOf = (pointer: string): string[] => pointer.split("/").slice(1);

export function valueAt(document: object, pointer: string): unknown {
  let here: unknown = document;
  for (const word of wordsOf(pointer)) here = (here as Tree | undefined)?.[word];
  return here;
}

/** A copy with another value in one cell; `undefined` leaves it out. Throws where what holds the cell is not there. */
export function setAt<T extends object>(document: T, pointer: string, value: unknown): T {
  const copy = structuredClone(document);
  const words = wordsOf(pointer);
  const last = words.pop()!;
  let here: unknown = copy;
  for (const word of words) here = (here as Tree | undefined)?.[word];
  if (typeof here !== "object" || here === null) throw new Error(`Nothing holds ${pointer}.`);
  if (value === undefined) delete (here as Tree)[last];
  else (here as Tree)[last] = value;
  return copy;
}
