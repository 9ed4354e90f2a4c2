/**
 * What the form does to a text: a field's value, an item more or less of a list. Only the document itself is read again, and all that is not meant stays, as in `editText.ts`: a list is
 * changed item by item, a map entry by entry. Null where the text does not let it. O(document × items).
 */
import { isMap, isScalar, isSeq, type ParsedNode } from "yaml";
import { documentParts } from "./documentParts.ts";
import { beforeItem, behindItem, flowText, isEmptyScalar, withNew, withValue } from "./editText.ts";
import type { FormInput, FormList, Path } from "./formSpec.ts";
import { documentsOf, lastOffset, type MapNode, nodeAt, textOf } from "./yamlNodes.ts";

type Edit = (part: string, index: number) => string | null;

/** Puts the value of a field into a document of the text; null takes it out. */
export function withInput(
  text: string,
  document: number,
  path: Path,
  input: FormInput,
): string | null {
  return inPart(text, document, (part, index) => {
    if (input === null || typeof input !== "object") return withValue(part, index, path, input);
    return Array.isArray(input)
      ? withList(part, index, path, input)
      : withEntries(part, index, path, input as Readonly<Record<string, string>>);
  });
}

/** Puts an item at the end of a list, or as its first; the list is begun where there is none. */
export function withItem(
  text: string,
  document: number,
  { path, value, atFront }: Omit<FormList, "words">,
): string | null {
  return inPart(text, document, (part, index) => withOneMore(part, index, path, value, atFront));
}

/** Takes an item out of a list; with the last one goes the list. */
export function withoutItem(text: string, document: number, path: Path): string | null {
  return inPart(text, document, (part, index) => withValue(part, index, path, null));
}

function inPart(text: string, document: number, edit: Edit): string | null {
  const parts = documentParts(text);
  const part = parts[document];
  if (parts.length === 1 || !part) return edit(text, document);
  const next = edit(text.slice(part.from, part.to), 0);
  return next === null ? null : text.slice(0, part.from) + next + text.slice(part.to);
}

function withOneMore(
  text: string,
  index: number,
  path: Path,
  item: unknown,
  atFront: boolean,
): string | null {
  const parsed = documentsOf(text)?.[index];
  if (!parsed) return null;
  const node = nodeAt(parsed, path);
  if (node === undefined || isEmptyScalar(node)) return withNew(text, parsed, path, [item]);
  if (!isSeq(node)) return null;
  const [first] = node.items as ParsedNode[];
  const last = (node.items as ParsedNode[]).at(-1);
  if (!first || !last) {
    if (!node.flow) return null;
    const [from, to] = node.range as readonly number[] as readonly [number, number];
    return `${text.slice(0, from)}[${flowText(item)}]${text.slice(to)}`;
  }
  if (!node.flow) return atFront ? beforeItem(text, first, [item]) : behindItem(text, last, [item]);
  const at = atFront ? first.range[0] : lastOffset(last);
  const put = atFront ? `${flowText(item)}, ` : `, ${flowText(item)}`;
  return text.slice(0, at) + put + text.slice(at);
}

/** Items that go leave the others where they are; else each place gets its new item, and the end grows or shrinks. */
function withList(
  text: string,
  index: number,
  path: Path,
  items: readonly string[],
): string | null {
  const parsed = documentsOf(text)?.[index];
  if (!parsed) return null;
  const node = nodeAt(parsed, path);
  if (items.length === 0) return withValue(text, index, path, null);
  if (node === undefined || isEmptyScalar(node)) return withNew(text, parsed, path, items);
  if (!isSeq(node)) return null;
  const before = (node.items as ParsedNode[]).map(textOf);
  let done: string | null = text;
  let kept = 0;
  const gone = before.flatMap((item, at) => {
    if (item !== items[kept]) return [at];
    kept++;
    return [];
  });
  if (kept === items.length) {
    for (const at of gone.reverse()) done = done && withValue(done, index, [...path, at], null);
    return done;
  }
  for (let at = before.length - 1; at >= items.length; at--)
    done = done && withValue(done, index, [...path, at], null);
  for (const [at, item] of items.entries()) {
    if (item === before[at]) continue;
    done =
      done &&
      (at < before.length
        ? withValue(done, index, [...path, at], item)
        : withOneMore(done, index, path, item, false));
  }
  return done;
}

/** New entries come before old ones go, so that a map is left only where none remains: then it is empty. */
function withEntries(
  text: string,
  index: number,
  path: Path,
  entries: Readonly<Record<string, string>>,
): string | null {
  const parsed = documentsOf(text)?.[index];
  if (!parsed) return null;
  const node = nodeAt(parsed, path);
  if (node === undefined || isEmptyScalar(node)) return withNew(text, parsed, path, entries);
  if (!isMap(node)) return null;
  const map = node as MapNode;
  const [first] = map.items;
  if (Object.keys(entries).length === 0)
    return first ? `${text.slice(0, map.range[0])}{}${text.slice(endOfMap(map))}` : text;
  const before = new Map(
    map.items.map(({ key, value }) => [isScalar(key) ? String(key.value) : "", textOf(value)]),
  );
  let done: string | null = text;
  for (const [key, value] of Object.entries(entries))
    if (before.get(key) !== value) done = done && withValue(done, index, [...path, key], value);
  for (const key of before.keys())
    if (!Object.hasOwn(entries, key)) done = done && withValue(done, index, [...path, key], null);
  return done;
}

const endOfMap = (map: MapNode): number => (map.flow ? map.range[1] : lastOffset(map));
