/** Takes the values of the form out of a text. Objects stand in the order of the text; a kind that the form does not have is there with its name alone. */
import { isMap, isScalar, isSeq, type ParsedNode } from "yaml";
import { lowerBound } from "../../../base/bisect.ts";
import type {
  FieldForm,
  FormHead,
  FormList,
  FormObject,
  FormPart,
  NewItem,
  Path,
  RowsForm,
} from "./formSpec.ts";
import { formOf, groupOf } from "./kindForms.ts";
import { textOnlyOf } from "./textOnly.ts";
import { childOf, type Doc, documentsOf, type MapNode, nodeAt, textOf } from "./yamlNodes.ts";

/** Null where the text is no YAML. O(text). */
export function readForm(text: string): readonly FormObject[] | null {
  const documents = documentsOf(text);
  if (documents === null) return null;
  const ends = lineEnds(text);
  const lineOf = (offset: number) => lowerBound(ends, offset) + 1;
  return documents.flatMap((document, index) =>
    isMap(document.contents) ? [objectOf(document, index, lineOf)] : [],
  );
}

/** What each object is and where it begins, of a text that is too long for a form. Null where it is no YAML. O(text). */
export function readHeads(text: string): readonly FormHead[] | null {
  const documents = documentsOf(text);
  if (documents === null) return null;
  const ends = lineEnds(text);
  const lineOf = (offset: number) => lowerBound(ends, offset) + 1;
  return documents.flatMap((document) =>
    isMap(document.contents) ? [headOf(document, lineOf)] : [],
  );
}

function headOf(document: Doc, lineOf: (offset: number) => number): FormHead {
  const kind = textOf(nodeAt(document, ["kind"]));
  return {
    kind: kind === "" ? "no kind" : kind,
    group: groupOf(textOf(nodeAt(document, ["apiVersion"]))),
    line: lineOf(document.contents!.range[0]),
  };
}

function objectOf(document: Doc, index: number, lineOf: (offset: number) => number): FormObject {
  const head = headOf(document, lineOf);
  const { line } = head;
  const form = formOf(head.kind, textOf(nodeAt(document, ["apiVersion"])));
  const partOf = (
    title: string,
    base: Path,
    fields: readonly FieldForm[],
    item: Path | null,
  ): FormPart => ({
    title,
    item,
    values: fields.map((field) => {
      const path = [...base, ...field.path];
      const node = nodeAt(document, path);
      return { field, path, text: shownOf(node), line: node ? lineOf(node.range[0]) : line };
    }),
  });
  return {
    ...head,
    document: index,
    name: textOf(nodeAt(document, ["metadata", "name"])),
    parts: form
      ? [
          partOf("", [], form.fields, null),
          ...(form.rows ?? []).flatMap((rows) =>
            rowsOf(document, rows).map(({ title, path }) =>
              partOf(title, path, rows.fields, rows.item ? path : null),
            ),
          ),
        ]
      : [],
    lists: (form?.rows ?? []).flatMap((rows) =>
      rows.item ? [listOf(document, rows, rows.item)] : [],
    ),
    textOnly: form ? textOnlyOf(form) : [],
  };
}

/** A scalar as it stands; the items of a list, and the entries of a map, one behind the other. */
function shownOf(node: ParsedNode | undefined): string {
  if (isSeq(node)) return (node.items as ParsedNode[]).map(textOf).join(", ");
  if (!isMap(node)) return textOf(node);
  return (node as MapNode).items
    .map(({ key, value }) => `${isScalar(key) ? String(key.value) : ""}=${textOf(value)}`)
    .join(", ");
}

/** The list of such rows, with an item of its own name. O(items²) at worst, of names that are taken. */
function listOf(document: Doc, rows: RowsForm, item: NewItem): FormList {
  const { words, value, unique, atFront = false } = item;
  const path = rows.path.slice(0, -1);
  if (unique === undefined) return { words, path, value, atFront };
  const node = nodeAt(document, path);
  const items = isSeq(node) ? (node.items as ParsedNode[]) : [];
  const taken = new Set(items.map((one) => textOf(childOf(one, unique))));
  const name = String(value[unique]);
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name}-${count}`;
  return { words, path, value: { ...value, [unique]: free }, atFront };
}

/** Every item that the path of a list leads to, with its names. O(items). */
function rowsOf(
  document: Doc,
  { path, names, title = "" }: RowsForm,
): { title: string; path: Path }[] {
  const found: { title: string; path: Path }[] = [];
  const walk = (node: ParsedNode | undefined, at: number, done: Path, said: string[]): void => {
    const step = path[at];
    if (step === undefined) {
      found.push({ title: [...said, ...(title === "" ? [] : [title])].join(" · "), path: done });
      return;
    }
    if (step !== "*") {
      walk(childOf(node, step), at + 1, [...done, step], said);
      return;
    }
    if (!isSeq(node)) return;
    (node.items as ParsedNode[]).forEach((item, index) => {
      const stars = path.slice(0, at).filter((each) => each === "*").length;
      walk(item, at + 1, [...done, index], [...said, ...nameOf(item, index, names, stars, path)]);
    });
  };
  walk(document.contents ?? undefined, 0, [], []);
  return found;
}

/** What an item of a list is called, where its list counts in the title. */
function nameOf(
  item: ParsedNode,
  index: number,
  names: readonly string[],
  stars: number,
  path: Path,
): string[] {
  const name = textOf(childOf(item, "name")) || textOf(childOf(item, "groupName"));
  const lists = path.filter((each) => each === "*").length;
  // The last lists of the path are the named ones.
  const word = names[names.length - (lists - stars)];
  if (word === undefined || word === "") return [];
  return [name === "" ? `${word} ${index + 1}` : name];
}

/** Offsets of the ends of lines. */
function lineEnds(text: string): readonly number[] {
  const ends: number[] = [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) ends.push(at);
  return ends;
}
