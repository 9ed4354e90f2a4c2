/**
 * The YAML of a policy: documents one after the other, each an object of a known kind. Everything wrong is a problem with its line: the text is hostile until it
 * has passed. Size is capped by the schema of the document; aliases and documents are capped here, so that a short text cannot unfold into a long one. YAML 1.2
 * core: no tags of its own, no merging of keys. O(text).
 */
import {
  type Document,
  isCollection,
  isMap,
  isScalar,
  LineCounter,
  type ParsedNode,
  parseAllDocuments,
  visit,
} from "yaml";
import type { Problem } from "../../base/problem.ts";
import type { Result } from "../../base/result.ts";
import { err, ok } from "../../base/result.ts";
import type { KubernetesConfig, KubernetesObject } from "../../model/kubernetes/config.ts";
import { problemOfIssue } from "../issues.ts";
import type { KindReader } from "./kinds/kindReader.ts";
import { knownFields } from "./knownFields.ts";
import { nearWords } from "./nearWords.ts";
import { checkObjects, type PlacedObject } from "./objectChecks.ts";
import { isTooDeep } from "./textDepth.ts";
import { readerFor } from "./unreadKind.ts";

const DOCUMENTS_MOST = 4_096;
const ALIASES_MOST = 100;
const PROBLEMS_MOST = 20;

/** Issues for which a kind may have words of its own, and what stands there where it has none. */
const OWN_WORDS: ReadonlySet<string> = new Set(["custom", "invalid_union"]);
const UNSAID = "Invalid input";
const MISSING = "This field is missing.";

type Doc = Document.Parsed<ParsedNode>;

/** Reads the text; problems are placed at `place:LINE, path`. */
export function readKubernetes(text: string, place: string): Result<KubernetesConfig, Problem[]> {
  if (isTooDeep(text))
    return err([
      problem(`${place}:1`, "The text is nested too deeply.", "Write it with fewer levels."),
    ]);
  const lines = new LineCounter();
  let documents: readonly Doc[];
  try {
    const parsed = parseAllDocuments(text, {
      lineCounter: lines,
      prettyErrors: false,
      schema: "core",
      uniqueKeys: true,
    });
    documents = Array.isArray(parsed) ? parsed : [];
  } catch {
    return err([
      problem(`${place}:1`, "The text cannot be read as YAML.", "Check how deeply it is nested."),
    ]);
  }
  if (documents.length > DOCUMENTS_MOST)
    return err([
      problem(
        place,
        `There are more than ${DOCUMENTS_MOST} documents.`,
        "Leave out what the policy does not need.",
      ),
    ]);
  const problems: Problem[] = [];
  const placed: PlacedObject[] = [];
  const seen = new Set<string>();
  for (const document of documents) {
    if (problems.length >= PROBLEMS_MOST) break;
    const object = readDocument(document, lines, place, problems);
    if (object === null) continue;
    const key = `${object.kind} ${object.namespace}/${object.name}`;
    if (seen.has(key))
      problems.push(
        problem(
          placeOf(document, [], lines, place),
          `${object.kind} "${object.name}" is there twice.`,
          "Give each object a name of its own.",
        ),
      );
    seen.add(key);
    placed.push({ object, at: (path) => placeOf(document, path, lines, place) });
  }
  problems.push(...checkObjects(placed));
  return problems.length > 0
    ? err(problems.slice(0, PROBLEMS_MOST))
    : ok({ objects: placed.map(({ object }) => object) });
}

function readDocument(
  document: Doc,
  lines: LineCounter,
  place: string,
  problems: Problem[],
): KubernetesObject | null {
  const [broken] = document.errors;
  if (broken) {
    const { line } = lines.linePos(broken.pos[0]);
    problems.push(
      problem(
        `${place}:${line}`,
        `This is no YAML: ${firstLine(broken.message)}.`,
        "Check indentation, quotes and colons near that line.",
      ),
    );
    return null;
  }
  // Nothing between two separators, or behind the last.
  if (
    document.contents === null ||
    (isScalar(document.contents) && document.contents.value === null)
  )
    return null;
  const at = (path: readonly PropertyKey[]) => placeOf(document, path, lines, place);
  if (!isMap(document.contents)) {
    problems.push(
      problem(at([]), "Each document must be one object.", "Begin it with apiVersion and kind."),
    );
    return null;
  }
  let value: { kind?: unknown; apiVersion?: unknown };
  try {
    value = document.toJS({ maxAliasCount: ALIASES_MOST });
  } catch {
    problems.push(
      problem(
        `${place}:${lines.linePos(badAlias(document)).line}`,
        "It has too many aliases, or one whose anchor is not in the same document.",
        "Write repeated parts out.",
      ),
    );
    return null;
  }
  return readObject(value, at, problems);
}

/** Where the first alias without an anchor stands; where all have one, the first alias. O(document). */
function badAlias(document: Doc): number {
  let [first, bad] = [0, -1];
  visit(document, {
    Alias(_, alias) {
      const at = alias.range?.[0] ?? 0;
      if (first === 0) first = at;
      if (alias.resolve(document) !== undefined) return undefined;
      bad = at;
      return visit.BREAK;
    },
  });
  return bad < 0 ? first : bad;
}

function readObject(
  value: { kind?: unknown; apiVersion?: unknown },
  at: (path: readonly PropertyKey[]) => string,
  problems: Problem[],
): KubernetesObject | null {
  const reader = readerFor(value, at);
  if ("place" in reader) {
    problems.push(reader);
    return null;
  }
  const checked = reader.check(value);
  if ("object" in checked) return checked.object;
  // A misspelt field comes before the one that is missing because of it: the first problem is what the button says.
  for (const issue of checked.issues)
    if (issue.code === "unrecognized_keys")
      for (const key of issue.keys) problems.push(unknownField(reader, issue.path, key, at));
  for (const issue of checked.issues) {
    if (issue.code === "unrecognized_keys") continue;
    const { message: general, remedy } = problemOfIssue(issue);
    const message = messageOf(issue, general);
    const inScenario = remedy.includes("scenario.v1.json");
    problems.push(
      problem(
        at(issue.path),
        message,
        inScenario ? `Check it against the reference of ${reader.kind}.` : remedy,
      ),
    );
  }
  return null;
}

/** The words of the kind for a value that is given, those of every schema for one that is not. */
function messageOf(issue: Parameters<typeof problemOfIssue>[0], general: string): string {
  if (!OWN_WORDS.has(issue.code ?? "") || issue.message === UNSAID) return general;
  return issue.code === "invalid_union" && issue.input === undefined ? MISSING : issue.message;
}

/** A field that the kind does not have, at its own line, and which it may be meant as. */
function unknownField(
  { kind, schema }: KindReader,
  path: readonly PropertyKey[],
  key: string,
  at: (path: readonly PropertyKey[]) => string,
): Problem {
  const near = nearWords(key, knownFields(schema, path));
  return problem(
    at([...path, key]),
    `${kind} has no field "${key.slice(0, KEY_SHOWN)}" here.`,
    near.length > 0
      ? `Did you mean ${near.join(" or ")}?`
      : `Remove it, or check its spelling against the reference of ${kind}.`,
  );
}

const KEY_SHOWN = 100;

/** `place:LINE, spec.selector`: the line of the deepest part of the path that is there; of a field of an object the line of its name. */
function placeOf(
  document: Doc,
  path: readonly PropertyKey[],
  lines: LineCounter,
  place: string,
): string {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const key of path) {
    if (!isCollection(node)) break;
    const next = node.get(typeof key === "symbol" ? "" : key, true) as ParsedNode | undefined;
    const range = nameOf(node, key)?.range ?? next?.range;
    if (!range) break;
    offset = range[0];
    node = next;
  }
  const { line } = lines.linePos(offset);
  const words = path.map(String).join(".");
  return `${place}:${line}${words === "" ? "" : `, ${words}`}`;
}

/** The key of a field as it stands in the text; undefined in a list. O(fields). */
function nameOf(node: unknown, key: PropertyKey): ParsedNode | undefined {
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key: name }) => isScalar(name) && name.value === key);
  return pair?.key as ParsedNode | undefined;
}

function problem(place: string, message: string, remedy: string): Problem {
  return { place, message, remedy };
}

const firstLine = (text: string): string =>
  (text.split("\n")[0] ?? "").replace(/[.:]+$/, "").slice(0, 200);
