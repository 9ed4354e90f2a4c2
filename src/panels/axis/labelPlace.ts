/**
 * Where the cursor's label stands: above the cursor, inside the axis, but not over the flags of changes that stand at the cursor: after a change the
 * cursor is at its time, and its flag is what one wants to take hold of. The label goes to the side where it moves least, and stays at the cursor.
 */

/** Centre of the label, CSS px. `flags`: from and to of each that is seen, in any order. O(flags log flags). */
export function labelCentre(
  cursorX: number,
  half: number,
  widthCss: number,
  flags: readonly (readonly [number, number])[],
): number {
  const inside = (x: number) => Math.min(Math.max(x, half), widthCss - half);
  const centre = inside(cursorX);
  const hits = (x: number) => flags.some(([from, to]) => to > x - half && from < x + half);
  if (!hits(centre)) return centre;
  // The label's edge may go as far as the cursor, or the flag that stands right at it.
  const reach = half + FLAG_CSS;
  const places = flags
    .flatMap(([from, to]) => [from - half, to + half])
    .filter((x) => Math.abs(x - cursorX) <= reach && inside(x) === x && !hits(x))
    .sort((a, b) => Math.abs(a - cursorX) - Math.abs(b - cursorX));
  return places[0] ?? centre;
}

const FLAG_CSS = 18;
