/**
 * Takes an entry of a map or an item of a list out of a text, with the lines that it stands in and with what it would leave empty above it: maps, lists, and items of which only the name would
 * remain. Null where the text does not let it. O(text).
 */
import { isMap, isSeq, type ParsedNode } from "yaml";
import type { Path } from "./formSpec.ts";
import {
  childOf,
  endOf,
  indexNamed,
  lastOffset,
  type MapNode,
  type PairNode,
  pairOf,
} from "./yamlNodes.ts";

export function takenOut(text: string, root: ParsedNode | null, path: Path): string | null {
  // The outermost that would be left empty goes as a whole.
  let at = path.length - 1;
  while (at > 0 && isOnly(root, path, at)) at--;
  const within = nodeIn(root, path.slice(0, at));
  const key = path[at]!;
  if (isSeq(within)) {
    const items = within.items as ParsedNode[];
    const index = typeof key === "object" ? indexNamed(items, key.named) : Number(key);
    return items[index] ? withoutItem(text, items, index, within.flow === true) : null;
  }
  if (!isMap(within) || typeof key !== "string") return null;
  const map = within as MapNode;
  const pair = pairOf(map, key);
  if (!pair) return null;
  // One row of several stays, though nothing is in it.
  if (map.items.length === 1 && typeof path[at - 1] === "number")
    return `${text.slice(0, map.range[0])}{}${text.slice(lastOffset(map))}`;
  return map.flow ? withoutFlow(text, map, pair) : withoutLines(text, map, pair);
}

function nodeIn(root: ParsedNode | null, path: Path): ParsedNode | undefined {
  let node: ParsedNode | undefined = root ?? undefined;
  for (const step of path) node = childOf(node, step);
  return node;
}

/** Whether nothing but a name would remain of what holds `path[at]`, and that is not one row of several, which are known by their number. */
function isOnly(root: ParsedNode | null, path: Path, at: number): boolean {
  const above = path[at - 1]!;
  const node = nodeIn(root, path.slice(0, at));
  if (!(isMap(node) || isSeq(node))) return false;
  if (typeof above === "string") return node.items.length === 1;
  if (typeof above === "number") {
    const rows = nodeIn(root, path.slice(0, at - 1));
    return node.items.length === 1 && isSeq(rows) && rows.items.length === 1;
  }
  return isMap(node) && node.items.length === 2 && path[at] !== "name";
}

/** One of several items. */
function withoutItem(
  text: string,
  items: readonly ParsedNode[],
  at: number,
  isFlow: boolean,
): string | null {
  const item = items[at]!;
  if (isFlow) {
    const before = items[at - 1];
    const after = items[at + 1];
    if (before) return text.slice(0, lastOffset(before)) + text.slice(lastOffset(item));
    return after ? text.slice(0, item.range[0]) + text.slice(after.range[0]) : null;
  }
  const dash = text.lastIndexOf("-", item.range[0]);
  const lineStart = text.lastIndexOf("\n", dash) + 1;
  if (text.slice(lineStart, dash).trim() !== "") return null;
  const lineEnd = text.indexOf("\n", lastOffset(item) - 1);
  return text.slice(0, lineStart) + (lineEnd < 0 ? "" : text.slice(lineEnd + 1));
}

function withoutFlow(text: string, map: MapNode, pair: PairNode): string {
  const at = map.items.indexOf(pair);
  const before = map.items[at - 1];
  const after = map.items[at + 1];
  if (before) return text.slice(0, endOf(before)) + text.slice(endOf(pair));
  if (after) return text.slice(0, pair.key.range[0]) + text.slice(after.key.range[0]);
  return `${text.slice(0, map.range[0])}{}${text.slice(map.range[1])}`;
}

function withoutLines(text: string, map: MapNode, pair: PairNode): string | null {
  const from = pair.key.range[0];
  const lineStart = text.lastIndexOf("\n", from - 1) + 1;
  const lineEnd = text.indexOf("\n", endOf(pair));
  const to = lineEnd < 0 ? text.length : lineEnd + 1;
  if (text.slice(lineStart, from).trim() === "") return text.slice(0, lineStart) + text.slice(to);
  // Behind the dash of a list: the next key moves up to it.
  const next = map.items[map.items.indexOf(pair) + 1];
  return next ? text.slice(0, from) + text.slice(next.key.range[0]) : null;
}
