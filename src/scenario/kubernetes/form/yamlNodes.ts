/** Steps through parsed YAML: the node at a path, and the text of a scalar as it was written. */
import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  parseAllDocuments,
  type YAMLMap,
} from "yaml";
import { isTooDeep } from "../textDepth.ts";
import type { Path, Step } from "./formSpec.ts";

export type Doc = Document.Parsed<ParsedNode>;
export type MapNode = YAMLMap.Parsed<ParsedNode, ParsedNode | null>;
export type PairNode = Pair<ParsedNode, ParsedNode | null>;

/** The documents of a text, null where it is no YAML: the form then stays as it was. O(text). */
export function documentsOf(text: string): readonly Doc[] | null {
  if (isTooDeep(text)) return null;
  try {
    const parsed = parseAllDocuments(text, {
      prettyErrors: false,
      schema: "core",
      uniqueKeys: true,
    });
    const documents = Array.isArray(parsed) ? parsed : [];
    return documents.some(({ errors }) => errors.length > 0) ? null : documents;
  } catch {
    return null;
  }
}

export function pairOf(map: MapNode, key: string): PairNode | undefined {
  return map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key);
}

/** The child of a node; undefined where there is none. */
export function childOf(node: ParsedNode | null | undefined, step: Step): ParsedNode | undefined {
  if (typeof step === "string")
    return isMap(node) ? (pairOf(node as MapNode, step)?.value ?? undefined) : undefined;
  if (!isSeq(node)) return undefined;
  const items = node.items as ParsedNode[];
  if (typeof step === "number") return items[step];
  return items[indexNamed(items, step.named)];
}

export function indexNamed(items: readonly ParsedNode[], name: string): number {
  return items.findIndex((item) => textOf(childOf(item, "name")) === name);
}

/** The node at a path; undefined where it is not there. O(steps × keys). */
export function nodeAt(document: Doc, path: Path): ParsedNode | undefined {
  let node: ParsedNode | undefined = document.contents ?? undefined;
  for (const step of path) node = childOf(node, step);
  return node;
}

/** The value of a scalar as text; "" for everything else. */
export function textOf(node: ParsedNode | null | undefined): string {
  if (!isScalar(node) || node.value === null || node.value === undefined) return "";
  return String(node.value);
}

/** Where an entry of a map ends. */
export function endOf({ key, value }: PairNode): number {
  return value === null ? key.range[1] : lastOffset(value);
}

/** Where what a node holds ends: of a block collection the end of its last part, not of the blank lines and comments behind it. */
export function lastOffset(node: ParsedNode): number {
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
