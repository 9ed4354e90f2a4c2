/** Takes the values of the form out of a text. Objects stand in the order of the text; a kind that the form does not have is there with its name alone. */
import { isMap, isSeq, type ParsedNode } from "yaml";
import { lowerBound } from "../../../base/bisect.ts";
import type { FieldForm, FormObject, FormPart, Path, RowsForm } from "./formSpec.ts";
import { formOf } from "./kindForms.ts";
import { childOf, type Doc, documentsOf, nodeAt, textOf } from "./yamlNodes.ts";

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

function objectOf(document: Doc, index: number, lineOf: (offset: number) => number): FormObject {
  const kind = textOf(nodeAt(document, ["kind"]));
  const form = formOf(kind, textOf(nodeAt(document, ["apiVersion"])));
  const line = lineOf(document.contents!.range[0]);
  const partOf = (title: string, base: Path, fields: readonly FieldForm[]): FormPart => ({
    title,
    values: fields.map((field) => {
      const path = [...base, ...field.path];
      const node = nodeAt(document, path);
      return { field, path, text: textOf(node), line: node ? lineOf(node.range[0]) : line };
    }),
  });
  return {
    document: index,
    kind: kind === "" ? "no kind" : kind,
    name: textOf(nodeAt(document, ["metadata", "name"])),
    line,
    parts: form
      ? [
          partOf("", [], form.fields),
          ...(form.rows ?? []).flatMap((rows) =>
            rowsOf(document, rows).map(({ title, path }) => partOf(title, path, rows.fields)),
          ),
        ]
      : [],
  };
}

/** Every item that the path of a list leads to, with its names. O(items). */
function rowsOf(document: Doc, { path, names }: RowsForm): { title: string; path: Path }[] {
  const found: { title: string; path: Path }[] = [];
  const walk = (node: ParsedNode | undefined, at: number, done: Path, said: string[]): void => {
    const step = path[at];
    if (step === undefined) {
      found.push({ title: said.join(" · "), path: done });
      return;
    }
    if (step !== "*") {
      walk(childOf(node, step), at + 1, [...done, step], said);
      return;
    }
    if (!isSeq(node)) return;
    (node.items as ParsedNode[]).forEach((item, index) => {
      const stars = path.slice(0, at).filter((each) => each === "*").length;
      walk(item, at + 1, [...done, index], [...said, ...nameOf(item, names, stars, path)]);
    });
  };
  walk(document.contents ?? undefined, 0, [], []);
  return found;
}

/** What an item of a list is called, where its list counts in the title. */
function nameOf(
  item: ParsedNode,
  names: readonly string[],
  stars: number,
  path: readonly string[],
): string[] {
  const name = textOf(childOf(item, "name")) || textOf(childOf(item, "groupName"));
  const lists = path.filter((each) => each === "*").length;
  // The last lists of the path are the named ones.
  const word = names[names.length - (lists - stars)];
  return name === "" || word === undefined || word === "" ? [] : [name];
}

/** Offsets of the ends of lines. */
function lineEnds(text: string): readonly number[] {
  const ends: number[] = [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) ends.push(at);
  return ends;
}
