/** Named amounts of vectors as the lists by resource that the rules take, and back. */
export type Named = Readonly<Record<string, number>>;

/** The names that occur, in alphabetical order. */
export function resourcesOf(...amounts: readonly (Named | undefined)[]): string[] {
  return [...new Set(amounts.flatMap((one) => Object.keys(one ?? {})))].sort();
}

/** The amounts in the order of `resources`, `absent` where nothing is said. */
export function listOf(
  resources: readonly string[],
  amounts: Named | undefined,
  absent = 0,
): number[] {
  return resources.map((name) => amounts?.[name] ?? absent);
}

export function namedOf(resources: readonly string[], amounts: readonly number[]): Named {
  return Object.fromEntries(resources.map((name, at) => [name, amounts[at]!]));
}
