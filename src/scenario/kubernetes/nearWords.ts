/** Which known words a misspelt one may be meant as: few letters differ (Levenshtein's distance; upper and lower case are the same). */

/** Letters in which a word may differ, and at most so large a part of it. */
const TYPOS_MOST = 3;
const PART_MOST = 1 / 3;
/** Longer ones are nobody's misspelling. */
const LETTERS_MOST = 100;

/** The nearest of `words`; several where they are equally near. O(words × letters²). */
export function nearWords(given: string, words: readonly string[]): string[] {
  if (given.length > LETTERS_MOST) return [];
  const most = Math.min(TYPOS_MOST, Math.floor(given.length * PART_MOST));
  const apart = words.map((word) => distance(word, given));
  const least = Math.min(most, ...apart);
  return words.filter((_, idx) => apart[idx] === least);
}

/** Letters to change, add or leave out. O(letters²). */
function distance(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  let row = Array.from({ length: b.length + 1 }, (_, idx) => idx);
  for (let at = 1; at <= a.length; at++) {
    const next = [at];
    for (let to = 1; to <= b.length; to++) {
      const changed = row[to - 1]! + (a[at - 1] === b[to - 1] ? 0 : 1);
      next.push(Math.min(changed, row[to]! + 1, next[to - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
