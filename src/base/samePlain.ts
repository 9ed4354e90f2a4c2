/**
 * Whether two pieces of plain data are the same to the bit: numbers, texts, arrays, typed arrays, plain objects, maps and sets (in the same order). What is not plain, an
 * object of a class or a function, is the same only as itself, since what it hides cannot be compared. O(size); parts that both share cost nothing.
 */
export function samePlain(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (ArrayBuffer.isView(a)) return sameNumbers(a, b as typeof a);
  if (Array.isArray(a)) return sameLists(a, b as readonly unknown[]);
  if (a instanceof Map) return sameLists([...a].flat(), [...(b as Map<unknown, unknown>)].flat());
  if (a instanceof Set) return sameLists([...a], [...(b as Set<unknown>)]);
  const prototype: unknown = Object.getPrototypeOf(a);
  if (prototype !== Object.prototype && prototype !== null) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every(
    (key) => Object.hasOwn(b, key) && samePlain(a[key as keyof typeof a], b[key as keyof typeof b]),
  );
}

function sameLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, i) => samePlain(value, b[i]));
}

function sameNumbers(a: ArrayBufferView, b: ArrayBufferView): boolean {
  if (a instanceof DataView || a.byteLength !== b.byteLength) return false;
  const left = a as unknown as ArrayLike<number>;
  const right = b as unknown as ArrayLike<number>;
  for (let i = 0; i < left.length; i++) if (!Object.is(left[i], right[i])) return false;
  return true;
}
