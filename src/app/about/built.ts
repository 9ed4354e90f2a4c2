/** What the page was built from: its version, and the packages in it with their licences. The build writes it into the text here (scripts/licencesPlugin.mjs). */
export interface Licence {
  readonly name: string;
  readonly version: string;
  /** SPDX expression of the package. */
  readonly licence: string;
  /** Place in `texts`, −1 where the package carries none. */
  readonly text: number;
}

export interface Built {
  readonly version: string;
  readonly packages: readonly Licence[];
  readonly texts: readonly string[];
}

const WRITTEN: string = "@@what this page is built from@@";

/** `null` where the page was not built: while developing and in tests. */
export function built(): Built | null {
  return WRITTEN.startsWith("{") ? (JSON.parse(WRITTEN) as Built) : null;
}

export interface LicenceGroup {
  readonly licence: string;
  readonly packages: readonly Licence[];
  readonly text: string | null;
}

/** Packages by licence and its words, the largest group first, then by the name of the first package. */
export function licenceGroups({ packages, texts }: Built): readonly LicenceGroup[] {
  const groups = new Map<string, Licence[]>();
  for (const one of packages) {
    const key = `${one.text} ${one.licence}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()]
    .sort((a, b) => b.length - a.length)
    .map((group) => ({
      licence: group[0]!.licence,
      packages: group,
      text: texts[group[0]!.text] ?? null,
    }));
}
