/**
 * What a source file says about itself, read from its syntax tree (SWC): what it imports, which globals it touches, what it exports.
 * A global is an identifier that no scope of the file declares; SWC marks those, and a sentinel appended to the text tells the mark.
 */
import { parseSync } from "@swc/core";

export interface SourceFile {
  /** From the project's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface ImportFound {
  readonly target: string;
  /** Erased at build time: `import type`, `export type`, or every imported name marked `type`. */
  readonly typeOnly: boolean;
  /** `url`: a file named by `new URL("…", import.meta.url)`, as workers are. */
  readonly kind: "import" | "reexport" | "dynamic" | "url";
}

export interface GlobalFound {
  readonly name: string;
  /** The property read from it, `null` when it is used whole, `"[…]"` when computed. */
  readonly member: string | null;
}

export interface SourceFacts {
  readonly imports: readonly ImportFound[];
  readonly globals: readonly GlobalFound[];
  readonly defaultExport: boolean;
}

interface Node {
  readonly type?: string;
  readonly [key: string]: unknown;
}

const SENTINEL = "globalSentinelOfTheTidyTest";

/** What has been read: most checks ask about the same files. */
const known = new WeakMap<SourceFile, SourceFacts>();

/** Reads one TypeScript file, once. O(size of the file). */
export function factsOf(file: SourceFile): SourceFacts {
  const facts = known.get(file) ?? readFacts(file);
  known.set(file, facts);
  return facts;
}

function readFacts(file: SourceFile): SourceFacts {
  const module = parseSync(`${file.text}\n;${SENTINEL};\n`, {
    syntax: "typescript",
    tsx: file.path.endsWith(".tsx"),
    target: "es2022",
  }) as unknown as { body: readonly Node[] };
  const sentinel = module.body.at(-1)?.expression as Node;
  const reader = new Reader(sentinel.ctxt as number);
  for (const item of module.body.slice(0, -1)) reader.item(item);
  return { imports: reader.imports, globals: reader.globals, defaultExport: reader.defaultExport };
}

class Reader {
  readonly imports: ImportFound[] = [];
  readonly globals: GlobalFound[] = [];
  defaultExport = false;
  readonly #freeMark: number;

  constructor(freeMark: number) {
    this.#freeMark = freeMark;
  }

  /** A statement at the top of the file: only those import, re-export or export by default. */
  item(node: Node): void {
    if (node.type === "ImportDeclaration") this.#import(node, "import");
    else if (node.type === "ExportAllDeclaration") this.#import(node, "reexport");
    else if (node.type === "ExportNamedDeclaration" && node.source) this.#import(node, "reexport");
    else {
      if (String(node.type).startsWith("ExportDefault")) this.defaultExport = true;
      if (exportsDefaultName(node)) this.defaultExport = true;
      this.#walk(node);
    }
  }

  #import(node: Node, kind: "import" | "reexport"): void {
    const specifiers = (node.specifiers ?? []) as readonly Node[];
    const allTypes = specifiers.length > 0 && specifiers.every((one) => one.isTypeOnly === true);
    this.imports.push({
      target: stringOf(node.source),
      typeOnly: node.typeOnly === true || allTypes,
      kind,
    });
  }

  #walk(value: unknown): void {
    if (Array.isArray(value)) for (const one of value) this.#walk(one);
    if (value === null || typeof value !== "object" || Array.isArray(value)) return;
    const node = value as Node;
    if (node.type === "TsImportType") {
      this.imports.push({ target: stringOf(node.argument), typeOnly: true, kind: "import" });
      return;
    }
    // Types name globals (`Date`, `Worker`) without touching them; `as` and its like carry an expression.
    if (String(node.type).startsWith("Ts")) {
      this.#walk(node.expression);
      return;
    }
    if (node.type === "Identifier") this.#identifier(node, null);
    else if (node.type === "MemberExpression") this.#member(node);
    else {
      this.#maybeDynamicImport(node);
      this.#maybeUrl(node);
      for (const [key, child] of Object.entries(node)) {
        if (key !== "typeAnnotation" && key !== "span") this.#walk(child);
      }
    }
  }

  #member(node: Node): void {
    const property = node.property as Node;
    const computed = property.type === "Computed";
    const object = node.object as Node;
    if (object.type === "Identifier") {
      this.#identifier(object, computed ? "[…]" : String(property.value));
    } else this.#walk(object);
    if (computed) this.#walk(property);
  }

  #identifier(node: Node, member: string | null): void {
    if (node.ctxt === this.#freeMark) this.globals.push({ name: String(node.value), member });
  }

  #maybeDynamicImport(node: Node): void {
    if (node.type !== "CallExpression" || (node.callee as Node).type !== "Import") return;
    const target = firstArgument(node);
    if (target !== null) this.imports.push({ target, typeOnly: false, kind: "dynamic" });
  }

  #maybeUrl(node: Node): void {
    if (node.type !== "NewExpression" || (node.callee as Node).value !== "URL") return;
    const target = firstArgument(node);
    if (target?.startsWith(".")) this.imports.push({ target, typeOnly: false, kind: "url" });
  }
}

function firstArgument(call: Node): string | null {
  const first = (call.arguments as readonly { expression: Node }[] | undefined)?.[0]?.expression;
  return first?.type === "StringLiteral" ? stringOf(first) : null;
}

function stringOf(node: unknown): string {
  return String((node as Node).value);
}

function exportsDefaultName(node: Node): boolean {
  if (node.type !== "ExportNamedDeclaration") return false;
  return (node.specifiers as readonly Node[]).some((one) => {
    const exported = (one.exported ?? one.orig) as Node | null;
    return exported !== null && exported.value === "default";
  });
}
