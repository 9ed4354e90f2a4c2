/** Programmer errors stop the program at once; expected failures are values (`result.ts`). */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${message}`);
}

/** Closes an exhaustive switch: a new union member fails to compile here. */
export function never(value: never): never {
  throw new Error(`Unexpected value ${JSON.stringify(value)}`);
}
