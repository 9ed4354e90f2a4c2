/** What a form of YAML objects is made of. */

/** A step of a path: a key of a map, a place in a list, or the item of a list that has this name. */
export type Step = string | number | { readonly named: string };
export type Path = readonly Step[];

export type ScalarValue = string | number | boolean;
/** What a field puts into the text: a scalar, the scalars of a list, the entries of a map; null takes it out. */
export type FormInput = ScalarValue | readonly string[] | Readonly<Record<string, string>> | null;

export interface FieldForm {
  /** Where it stands in the object, or in the row of a list. */
  readonly path: Path;
  readonly label: string;
  readonly sentence: string;
  /** `amount`: a quantity such as 8, 500m or 64Gi. `share`: a number, or per cent. `list`: scalars. `labels`: a map of names to text. */
  readonly kind:
    | "text"
    | "integer"
    | "number"
    | "amount"
    | "share"
    | "boolean"
    | "enum"
    | "list"
    | "labels";
  readonly options?: readonly string[];
  /** What holds where it is absent, as words. */
  readonly absent?: string;
  /** It cannot be taken away. */
  readonly needed?: true;
  /** Emptied it stays in the text as an empty map, for one that is not there means something else. */
  readonly staysEmpty?: true;
}

/** An item that can be put into a list: at its end, or as the first. */
export interface NewItem {
  readonly words: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** The key whose value no two items share. */
  readonly unique?: string;
  readonly atFront?: true;
}

/** Rows of a list inside an object; `*` in the path is every item. */
export interface RowsForm {
  readonly path: Path;
  /** What an item is of each of the innermost lists, for those without a name; "" leaves a list out of the title. */
  readonly names: readonly string[];
  /** Stands behind the names. */
  readonly title?: string;
  readonly fields: readonly FieldForm[];
  /** Items can be added and taken away; the path has one star, at its end. */
  readonly item?: NewItem;
}

/** What is read of a kind and has no field: where it stands, as `spec.levels[].nodeLabel`, and why. */
export interface TextOnly {
  readonly path: string;
  readonly reason: string;
}

export interface KindForm {
  readonly kind: string;
  /** API group, without its version. */
  readonly group: string;
  readonly fields: readonly FieldForm[];
  readonly rows?: readonly RowsForm[];
}

/** One field with its value as it stands in the text. */
export interface FormValue {
  readonly field: FieldForm;
  readonly path: Path;
  /** As written; "" where it is absent. */
  readonly text: string;
  /** Where it stands, from 1; where it is absent, the line of its object. */
  readonly line: number;
}

export interface FormPart {
  /** "" for the object itself, else the name of a row. */
  readonly title: string;
  readonly values: readonly FormValue[];
  /** The item of a list that it is, where it can be taken away. */
  readonly item: Path | null;
}

/** A list that takes one more. */
export interface FormList {
  readonly words: string;
  readonly path: Path;
  readonly value: Readonly<Record<string, unknown>>;
  readonly atFront: boolean;
}

export interface FormHead {
  readonly kind: string;
  /** API group, without its version. */
  readonly group: string;
  /** Line of its first key, from 1. */
  readonly line: number;
}

export interface FormObject extends FormHead {
  /** Which document of the text it is. */
  readonly document: number;
  readonly name: string;
  /** Empty where the form has nothing of this kind: it is in the text only. */
  readonly parts: readonly FormPart[];
  readonly lists: readonly FormList[];
  readonly textOnly: readonly TextOnly[];
}
