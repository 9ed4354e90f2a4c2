/**
 * `--constraint` of sbatch(1): features joined by `&` and `|`, in parentheses; `[a|b]` asks that all nodes have the same one of
 * the features; `a*2&b*1` asks for so many nodes of each. An expression becomes sets of nodes: a job must lie wholly in one of
 * `sets` (tried in order), and have at least `count` nodes of each counted set.
 */
import type { SlurmNodes } from "./nodes.ts";

export interface Constraint {
  readonly text: string;
  /** Alternatives, as bit sets; null = every node. More than one only for `[…|…]`. */
  readonly sets: readonly Int32Array[] | null;
  readonly counts: readonly { readonly nodes: Int32Array; readonly count: number }[];
  /** A feature that no node has, or an expression that cannot be read. */
  readonly invalid: boolean;
}

export const NO_CONSTRAINT: Constraint = { text: "", sets: null, counts: [], invalid: false };

/** Reads an expression. O(length + features × words). */
export function parseConstraint(text: string, nodes: SlurmNodes): Constraint {
  const parser = new Parser(text.replaceAll(",", "&").replaceAll(/\s/g, ""), nodes);
  const value = parser.alternatives();
  const invalid = parser.invalid || !parser.atEnd();
  const { counts } = parser;
  // With counts, a node of any counted kind will do; the counts themselves are checked on the chosen nodes.
  const sets =
    counts.length > 0 ? [counts.reduce((all, each) => or(all, each.nodes), parser.none())] : value;
  return { text, sets, counts, invalid };
}

class Parser {
  readonly counts: { nodes: Int32Array; count: number }[] = [];
  invalid = false;
  #at = 0;
  readonly #text: string;
  readonly #nodes: SlurmNodes;

  constructor(text: string, nodes: SlurmNodes) {
    this.#text = text;
    this.#nodes = nodes;
  }

  atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  none(): Int32Array {
    return new Int32Array(this.#nodes.words);
  }

  /** `x|y|…` outside of brackets: any of the nodes will do. */
  alternatives(): Int32Array[] {
    let sets = this.#terms();
    while (this.#take("|")) {
      const more = this.#terms();
      sets = [or(union(sets, this.none()), union(more, this.none()))];
    }
    return sets;
  }

  /** `x&y&…`: each alternative of the one with each of the other. */
  #terms(): Int32Array[] {
    let sets = this.#factor();
    while (this.#take("&")) {
      const more = this.#factor();
      sets = sets.flatMap((one) => more.map((other) => and(one, other)));
    }
    return sets;
  }

  #factor(): Int32Array[] {
    if (this.#take("(")) {
      const sets = this.alternatives();
      if (!this.#take(")")) this.invalid = true;
      return this.#counted(sets);
    }
    if (this.#take("[")) return this.#matching();
    const start = this.#at;
    while (!this.atEnd() && !"&|()[]*".includes(this.#text[this.#at]!)) this.#at++;
    const set = this.#nodes.features.get(this.#text.slice(start, this.#at));
    if (set === undefined) this.invalid = true;
    return this.#counted([set ?? this.none()]);
  }

  /** `[x|y]`: one of them for all nodes. `[x*2&y*2]`: counts. */
  #matching(): Int32Array[] {
    const sets = this.#terms();
    while (this.#take("|")) sets.push(...this.#terms());
    if (!this.#take("]")) this.invalid = true;
    return sets;
  }

  #counted(sets: Int32Array[]): Int32Array[] {
    if (!this.#take("*")) return sets;
    const start = this.#at;
    while (!this.atEnd() && this.#text[this.#at]! >= "0" && this.#text[this.#at]! <= "9")
      this.#at++;
    const count = Number(this.#text.slice(start, this.#at));
    if (!(count > 0)) this.invalid = true;
    this.counts.push({ nodes: union(sets, this.none()), count });
    return sets;
  }

  #take(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at++;
    return true;
  }
}

function union(sets: readonly Int32Array[], into: Int32Array): Int32Array {
  return sets.reduce((all, set) => or(all, set), into);
}

function or(one: Int32Array, other: Int32Array): Int32Array {
  return one.map((word, at) => word | other[at]!);
}

function and(one: Int32Array, other: Int32Array): Int32Array {
  return one.map((word, at) => word & other[at]!);
}
