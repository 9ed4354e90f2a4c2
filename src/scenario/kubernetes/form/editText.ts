/**
 * Puts one value into a text of YAML and leaves every other character as it is: a scalar that is there is overwritten, one that is not is written where its map ends, one that is taken away goes with its line, and
 * with the maps that it leaves empty. Comments, order and style stay. Returns null where the text does not let it (no YAML, a scalar where a map is needed). O(text).
 */
import { isMap, isScalar, isSeq, type ParsedNode, stringify } from "yaml";
import type { Path, ScalarValue } from "./formSpec.ts";
import { takenOut } from "./takeOut.ts";
import {
  childOf,
  type Doc,
  documentsOf,
  endOf,
  indexNamed,
  lastOffset,
  type MapNode,
  nodeAt,
  pairOf,
} from "./yamlNodes.ts";

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
  if (value === null) return there === undefined ? text : takenOut(text, parsed.contents, path);
  if (there === undefined || isEmptyScalar(there)) return withNew(text, parsed, path, value);
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

export function isEmptyScalar(node: ParsedNode | undefined): boolean {
  return isScalar(node) && node.value === null && node.range[0] === node.range[1];
}

/** A scalar, a list or a map where nothing is yet, with the maps and lists that it needs above it; null where the text does not let it. O(text). */
export function withNew(
  text: string,
  { contents }: Doc,
  path: Path,
  value: unknown,
): string | null {
  let node: ParsedNode | null = contents;
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
function nested(steps: Path, value: unknown): unknown {
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
  value: unknown,
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
      : `${text.slice(0, keyEnd)} ${written(below as ScalarValue)}${text.slice(keyEnd)}`;
  }
  return insertedBelow(text, endOf(map.items.at(-1)!), blockLines({ [key]: below }, indent));
}

function intoList(
  text: string,
  items: readonly ParsedNode[],
  isFlow: boolean,
  step: { readonly named: string },
  rest: Path,
  value: unknown,
): string | null {
  const last = items.at(-1);
  if (isFlow || !last || indexNamed(items, step.named) >= 0) return null;
  return behindItem(text, last, nested([step, ...rest], value));
}

/** The lines of a list behind its last item. */
export function behindItem(text: string, last: ParsedNode, items: unknown): string {
  const dash = text.lastIndexOf("-", last.range[0]);
  return insertedBelow(text, lastOffset(last), blockLines(items, columnOf(text, dash)));
}

/** The lines of a list before its first item; null where that does not begin its line. */
export function beforeItem(text: string, first: ParsedNode, items: unknown): string | null {
  const dash = text.lastIndexOf("-", first.range[0]);
  const column = columnOf(text, dash);
  const lineStart = dash - column;
  if (text.slice(lineStart, dash).trim() !== "") return null;
  return `${text.slice(0, lineStart)}${blockLines(items, column)}\n${text.slice(lineStart)}`;
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

/** A value as it stands in braces. */
export function flowText(value: unknown): string {
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
