/**
 * When what the product says agrees with a vector: names, truths and counts exactly, numbers to four decimals, lists that are sets in any order,
 * an amount of 0 like none. Source of the rules: the vectors' own README.
 */

/** Lists whose order says nothing. */
const SETS = new Set(["victims", "admitted", "pending", "assignment", "evictable", "nodeOneOf"]);

const TOLERANCE = 1e-4;

/** Does `said` agree with `expected`, the answer called `name`? */
export function agrees(name: string, said: unknown, expected: unknown): boolean {
  if (SETS.has(name) && Array.isArray(said) && Array.isArray(expected))
    return same(sorted(said), sorted(expected));
  return same(said, expected);
}

function same(said: unknown, expected: unknown): boolean {
  if (typeof said === "number" && typeof expected === "number")
    return Math.abs(said - expected) <= TOLERANCE;
  if (Array.isArray(said) && Array.isArray(expected))
    return said.length === expected.length && said.every((one, at) => same(one, expected[at]));
  if (isAmounts(said) && isAmounts(expected))
    return [...new Set([...Object.keys(said), ...Object.keys(expected)])].every((key) =>
      same(said[key] ?? noneLike(expected[key]), expected[key] ?? noneLike(said[key])),
    );
  return said === expected;
}

/** What stands for nothing beside a value: no amounts beside amounts, else 0. */
function noneLike(value: unknown): unknown {
  return isAmounts(value) ? {} : 0;
}

function isAmounts(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sorted(list: readonly unknown[]): unknown[] {
  return [...list].sort((left, right) => {
    const [a, b] = [JSON.stringify(left), JSON.stringify(right)];
    return a < b ? -1 : a > b ? 1 : 0;
  });
}
