/**
 * Plain YAML, as policies are mostly written: block maps and lists, flow maps and lists within one line, scalars within one line. What a change is called is asked at each key and for
 * each row of a list, so the real parser, which is in the worker, cannot be asked; whatever this one does not know (anchors, tags, block scalars) makes it say null, and nothing is decided by it.
 */

/** A scalar is the text that was written, without its quotes. */
export type PlainNode = string | readonly PlainNode[] | ReadonlyMap<string, PlainNode>;

interface Line {
  indent: number;
  text: string;
}

class Unknown extends Error {}

/** The documents of the text; null where one is not plain. O(text). */
export function readPlainYaml(text: string): ReadonlyMap<string, PlainNode>[] | null {
  try {
    const documents = text.split(/^---.*$/m).map(linesOf);
    return documents.filter((lines) => lines.length > 0).map(documentOf);
  } catch (error) {
    if (error instanceof Unknown) return null;
    throw error;
  }
}

function linesOf(text: string): Line[] {
  return text.split("\n").flatMap((line) => {
    const bare = /["']/.test(line) ? line : line.replace(/(^|\s)#.*$/, "");
    if (/\t|["'].*\s#/.test(bare)) throw new Unknown();
    const words = bare.trim();
    return words === "" ? [] : [{ indent: bare.length - bare.trimStart().length, text: words }];
  });
}

function documentOf(lines: Line[]): ReadonlyMap<string, PlainNode> {
  const node = block(lines);
  if (!(node instanceof Map) || lines.length > 0) throw new Unknown();
  return node;
}

const ITEM = /^-(\s+|$)/;

function block(lines: Line[]): PlainNode {
  const { indent, text } = lines[0]!;
  if (!ITEM.test(text)) return mapAt(lines, indent);
  const items: PlainNode[] = [];
  while (lines[0]?.indent === indent && ITEM.test(lines[0].text)) {
    const line = lines[0];
    const content = line.text.replace(ITEM, "");
    if (content === "") {
      lines.shift();
      items.push(below(lines, indent + 1));
    } else if (ITEM.test(content) || KEY.test(content)) {
      // What stands behind the dash begins a block of its own, as deep as it stands.
      line.indent += line.text.length - content.length;
      line.text = content;
      items.push(block(lines));
    } else {
      lines.shift();
      items.push(nodeOf(content));
    }
  }
  return items;
}

const KEY = /^("[^"]*"|'[^']*'|[^\s"'[\]{}#&*!|>%@`,-][^:]*):(?:\s+(.*))?$/;

function mapAt(lines: Line[], indent: number): PlainNode {
  const map = new Map<string, PlainNode>();
  while (lines[0]?.indent === indent && !ITEM.test(lines[0].text)) {
    const [, key, rest = ""] = KEY.exec(lines[0].text) ?? [];
    if (key === undefined) throw new Unknown();
    lines.shift();
    const name = unquoted(key);
    if (map.has(name)) throw new Unknown();
    // A list may stand as deep as the key that it belongs to.
    const isList = lines[0]?.indent === indent && ITEM.test(lines[0].text);
    map.set(name, rest === "" ? below(lines, isList ? indent : indent + 1) : nodeOf(rest));
  }
  return map;
}

/** What is nested, at least so deep; "" where nothing is. */
function below(lines: Line[], least: number): PlainNode {
  return lines[0] && lines[0].indent >= least ? block(lines) : "";
}

function nodeOf(text: string): PlainNode {
  if (!/^[[{]/.test(text)) return unquoted(text);
  const rest = { text };
  const node = flow(rest);
  if (rest.text.trim() !== "") throw new Unknown();
  return node;
}

function flow(rest: { text: string }): PlainNode {
  const take = (pattern: RegExp): string | null => {
    const found = pattern.exec(rest.text);
    if (found) rest.text = rest.text.slice(found[0].length);
    return found ? (found[1] ?? found[0]) : null;
  };
  if (take(/^\s*\[\s*/) !== null) {
    const items: PlainNode[] = [];
    while (take(/^\s*\]/) === null) {
      items.push(flow(rest));
      if (take(/^\s*,/) === null && !/^\s*\]/.test(rest.text)) throw new Unknown();
    }
    return items;
  }
  if (take(/^\s*\{\s*/) !== null) {
    const map = new Map<string, PlainNode>();
    while (take(/^\s*\}/) === null) {
      const key = take(/^\s*("[^"]*"|'[^']*'|[^\s"'[\]{},:]+)\s*:(?=[\s[{"'])/);
      if (key === null) throw new Unknown();
      map.set(unquoted(key), flow(rest));
      if (take(/^\s*,/) === null && !/^\s*\}/.test(rest.text)) throw new Unknown();
    }
    return map;
  }
  const scalar = take(/^\s*("[^"]*"|'[^']*'|[^"'[\]{},]+)/);
  if (scalar === null) throw new Unknown();
  return unquoted(scalar.trim());
}

function unquoted(text: string): string {
  const quoted = /^"([^"\\]*)"$|^'([^']*)'$/.exec(text);
  if (quoted) return quoted[1] ?? quoted[2] ?? "";
  if (/^[&*!|>%@`"']/.test(text)) throw new Unknown();
  return text;
}
