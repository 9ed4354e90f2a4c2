/**
 * What the palette finds: an entry is found when each word that was typed is part of its label or of what else is known of it (of a scenario its id, its
 * question and its policies). Those that begin with the text come first, then those with all words in the label, then the rest; ties keep the order of the list.
 * O(entries · words).
 */
import type { LibraryEntry } from "../../scenario/library/entry.ts";
import { presetOf } from "../../scenario/settings.ts";

export interface Findable {
  readonly label: string;
  /** Found by these words too, though they are not its name. */
  readonly also?: string;
}

export function found<Entry extends Findable>(entries: readonly Entry[], text: string): Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const first = words[0] ?? "";
  const has = (where: string) => words.every((word) => where.includes(word));
  return entries
    .flatMap((entry) => {
      const label = entry.label.toLowerCase();
      if (has(label)) return [{ entry, rank: label.startsWith(first) ? 0 : 1 }];
      return has(`${label} ${(entry.also ?? "").toLowerCase()}`) ? [{ entry, rank: 2 }] : [];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry);
}

/** What a scenario of the library is found by beside its title: id, question, presets and chosen settings of its pools and of the change that it proposes. */
export function scenarioWords({ id, question, document, suggest }: LibraryEntry): string {
  const policies = [
    ...(document.pools ?? []).map(({ policy }) => policy),
    ...(suggest?.intervention.kind === "policy" ? [suggest.intervention.policy] : []),
  ];
  const words = policies.flatMap((policy) =>
    policyWords(policy?.preset ?? "lab", policy?.settings),
  );
  return [...new Set([id, question, suggest?.label ?? "", ...words])].join(" ");
}

function policyWords(
  presetId: string,
  settings: Readonly<Record<string, unknown>> | undefined,
): readonly string[] {
  const preset = presetOf(presetId);
  const chosen = (preset?.settings ?? []).flatMap((spec) => {
    const value = settings?.[spec.key];
    if (value === undefined || value === false) return [];
    const option =
      spec.kind === "enum" ? spec.options.find((one) => one.value === value)?.label : undefined;
    return [spec.label, option ?? ""];
  });
  return [presetId, preset?.label ?? "", ...chosen];
}
