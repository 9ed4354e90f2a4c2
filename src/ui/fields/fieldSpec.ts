/** A field of a form over a part of the document: what people call it, what it does, and where its names come from. */

/** Lists of names that the document declares. */
export type NamesOf = "tiers" | "teams" | "queues" | "pools" | "nodeGroups" | "kinds";

export interface LeafSpec {
  /** Path below the entry, by dots: `demand.periodMs`. */
  readonly key: string;
  readonly label: string;
  /** What it does, one sentence. */
  readonly sentence: string;
  /** A heading above it, for it and those that follow. */
  readonly section?: string;
  readonly unit?: string;
  /** What holds where it is left empty: "no limit". */
  readonly absent?: string;
  readonly names?: NamesOf;
  /** Words for the values of a choice. */
  readonly words?: Readonly<Record<string, string>>;
  /** A form that the schema alone does not tell. */
  readonly as?:
    | "interval"
    | "pairs"
    | "models"
    | "numbers"
    | "points"
    | "weights"
    | "nameWeights"
    | "speeds";
  /** Shown where another field of the entry has one of these values. */
  readonly when?: { readonly key: string; readonly is: readonly (string | boolean)[] };
  /** Width of its column in a table, CSS pixels. */
  readonly width?: number;
}

/** An optional object: a check mark that brings its fields. */
export interface PartSpec {
  readonly key: string;
  readonly label: string;
  readonly sentence: string;
  readonly fields: readonly FieldSpec[];
  /** What it begins with; the schema fills in the rest. */
  readonly first: object;
}

export type FieldSpec = LeafSpec | PartSpec;

export function isPart(spec: FieldSpec): spec is PartSpec {
  return "fields" in spec;
}
