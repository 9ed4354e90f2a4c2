/**
 * Puts one value into a text of YAML and leaves every other character as it is: a scalar that is there is overwritten, one that is not is written where its map ends, one that is taken away goes with its line, and
 * with the maps that it leaves empty. Comments, order and style stay. Returns null where the text does not let it (no YAML, a scalar where a map is needed). O(text).
 */
import { isMap, isScalar, isSeq, type ParsedNode, stringify } from "yaml";
import { documentParts } from "./documentParts.ts";
import type { Path, Step } from "./formSpec.ts";
import {
  childOf,
  documentsOf,
  indexNamed,
  type MapNode,
  nodeAt,
  type PairNode,
  pairOf,
} from "./yamlNodes.ts";

export type ScalarValue = string | number | boolean;

/** As `withValue`, but only the document itself is read: O(document), and the text is looked through for dashes. */
export function withValueIn(
  text: string,
  document: number,
  path: Path,
  value: ScalarValue | null,
): string | null {
  const parts = documentParts(text);
  const part = parts[document];
  if (parts.length === 1 || !part) return withValue(text, document, path, value);
  const next = withValue(text.slice(part.from, part.to), 0, path, value);
  return next === null ? null : text.slice(0, part.from) + next + text.slice(part.to);
}

/** `value` null: taken away. */
export function withValue(
  text: string,
  document: number,
  path: Path,
  value: ScalarValue | null,
): string | null {
  const parsed = documentsOf(text)?.[document];
  if (!parsed) return null;
  const there = nodeAt(parsed, path);
  if (value === null) return there === undefined ? text : without(text, parsed.contents, path);
  if (there === undefined || isEmptyScalar(there)) return added(text, parsed.contents, path, value);
  if (!isScalar(there)) return null;
  const [from, to] = there.range;
  return `${text.slice(0, from)}${written(value)}${text.slice(to)}`;
}

/** A scalar as it is written into flow and block alike: plain where that is safe. */
function written(value: ScalarValue): string {
  if (typeof value !== "string") return String(value);
  const isPlain =
    /^[A-Za-z_][\w./-]*$/.test(value) || /^\d+(?:\.\d+)?(?:m|[KMGTPE]i?|%)$/.test(value);
  const means = /^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$/i.test(value);
  return isPlain && !means ? value : JSON.stringify(value);
}

function isEmptyScalar(node: ParsedNode | undefined): boolean {
  return isScalar(node) && node.value === null && node.range[0] === node.range[1];
}

function added(
  text: string,
  root: ParsedNode | null,
  path: Path,
  value: ScalarValue,
): string | null {
  let node = root;
  for (let at = 0; at < path.length; at++) {
    const step = path[at]!;
    const child = childOf(node, step);
    const isThere = child !== undefined && !isEmptyScalar(child);
    if (isThere) {
      node = child;
      continue;
    }
    if (isMap(node) && typeof step === "string")
      return intoMap(text, node as MapNode, step, path.slice(at + 1), value);
    if (isSeq(node) && typeof step === "object")
      return intoList(
        text,
        node.items as ParsedNode[],
        node.flow === true,
        step,
        path.slice(at + 1),
        value,
      );
    return null;
  }
  return null;
}

/** A value under the steps that are missing above it. */
function nested(steps: Path, value: ScalarValue): unknown {
  const [first, ...rest] = steps;
  if (first === undefined) return value;
  const below = nested(rest, value);
  if (typeof first === "string") return { [first]: below };
  return typeof first === "number"
    ? [below]
    : [{ name: first.named, ...(below as Record<string, unknown>) }];
}

function intoMap(
  text: string,
  map: MapNode,
  key: string,
  rest: Path,
  value: ScalarValue,
): string | null {
  const below = nested(rest, value);
  const pair = pairOf(map, key);
  if (map.flow) {
    if (pair) return null;
    const closing = map.range[1] - 1;
    const entry = `${written(key)}: ${flowText(below)}`;
    const inner = text.slice(map.range[0] + 1, closing).trimEnd();
    const head = text.slice(0, map.range[0] + 1) + inner;
    return `${head}${map.items.length > 0 ? ", " : " "}${entry} ${text.slice(closing)}`;
  }
  const first = map.items[0];
  if (!first) return null;
  const indent = columnOf(text, first.key.range[0]);
  if (pair) {
    // `key:` with nothing behind it.
    const lines = blockLines(below, indent + 2);
    const keyEnd = text.indexOf(":", pair.key.range[1]) + 1;
    return typeof below === "object"
      ? insertedBelow(text, keyEnd, lines)
      : `${text.slice(0, keyEnd)} ${written(value)}${text.slice(keyEnd)}`;
  }
  return insertedBelow(text, endOf(map.items.at(-1)!), blockLines({ [key]: below }, indent));
}

function intoList(
  text: string,
  items: readonly ParsedNode[],
  isFlow: boolean,
  step: { readonly named: string },
  rest: Path,
  value: ScalarValue,
): string | null {
  const last = items.at(-1);
  if (isFlow || !last || indexNamed(items, step.named) >= 0) return null;
  const dash = text.lastIndexOf("-", last.range[0]);
  return insertedBelow(
    text,
    lastOffset(last),
    blockLines(nested([step, ...rest], value), columnOf(text, dash)),
  );
}

/** A value as lines of block YAML, so many columns in. */
function blockLines(value: unknown, indent: number): string {
  const margin = " ".repeat(indent);
  return stringify(value, { lineWidth: 0, indentSeq: false })
    .trimEnd()
    .split("\n")
    .map((line) => `${margin}${line}`)
    .join("\n");
}

function flowText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flowText).join(", ")}]`;
  if (typeof value !== "object") return written(value as ScalarValue);
  const entries = Object.entries(value as Record<string, unknown>);
  return `{ ${entries.map(([key, each]) => `${written(key)}: ${flowText(each)}`).join(", ")} }`;
}

/** Lines behind the line that an offset is in. */
function insertedBelow(text: string, offset: number, lines: string): string {
  let at = offset;
  while (at > 0 && text[at - 1] === "\n") at--;
  const lineEnd = text.indexOf("\n", at);
  if (lineEnd < 0) return `${text}\n${lines}\n`;
  return `${text.slice(0, lineEnd)}\n${lines}${text.slice(lineEnd)}`;
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf("\n", offset - 1) + 1);
}

function endOf({ key, value }: PairNode): number {
  return value === null ? key.range[1] : lastOffset(value);
}

/** Where what a node holds ends: of a block collection the end of its last part, not of the blank lines and comments behind it. */
function lastOffset(node: ParsedNode): number {
  if (isMap(node) && node.flow !== true) {
    const last = (node as MapNode).items.at(-1);
    if (last) return Math.max(last.key.range[1], endOf(last));
  }
  if (isSeq(node) && node.flow !== true) {
    const last = (node.items as ParsedNode[]).at(-1);
    if (last) return lastOffset(last);
  }
  return node.range[1];
}

function without(text: string, root: ParsedNode | null, path: Path): string | null {
  // The outermost map that would be left empty goes as a whole.
  let at = path.length - 1;
  while (at > 0 && isOnly(root, path, at)) at--;
  const map = nodeIn(root, path.slice(0, at));
  const key = path[at];
  if (!isMap(map) || typeof key !== "string") return null;
  const pair = pairOf(map as MapNode, key);
  if (!pair) return null;
  return map.flow
    ? withoutFlow(text, map as MapNode, pair)
    : withoutLines(text, map as MapNode, pair);
}

function nodeIn(root: ParsedNode | null, path: Path): ParsedNode | undefined {
  let node: ParsedNode | undefined = root ?? undefined;
  for (const step of path) node = childOf(node, step);
  return node;
}

/** Whether what stands at `path[at]` is the only entry of a map that is itself an entry of a map. */
function isOnly(root: ParsedNode | null, path: Path, at: number): boolean {
  const map = nodeIn(root, path.slice(0, at));
  const above: Step = path[at - 1]!;
  return isMap(map) && map.items.length === 1 && typeof above === "string";
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
