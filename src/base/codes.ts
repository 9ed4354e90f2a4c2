/** Closed unions stored as one byte: the code of a name is its place in the list that declares them. */
type CodesOf<Name extends string> = { readonly [N in Name]: number };

/** Code by name. O(names). */
export function codesOf<Name extends string>(names: readonly Name[]): CodesOf<Name> {
  return Object.fromEntries(names.map((name, code) => [name, code])) as CodesOf<Name>;
}
