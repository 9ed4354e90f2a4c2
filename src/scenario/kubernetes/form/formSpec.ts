/** What a form of YAML objects is made of. */

/** A step of a path: a key of a map, a place in a list, or the item of a list that has this name. */
export type Step = string | number | { readonly named: string };
export type Path = readonly Step[];

export interface FieldForm {
  /** Where it stands in the object, or in the row of a list. */
  readonly path: Path;
  readonly label: string;
  readonly sentence: string;
  /** `amount`: a quantity such as 8, 500m or 64Gi. `share`: a number, or per cent. */
  readonly kind: "text" | "integer" | "number" | "amount" | "share" | "boolean" | "enum";
  readonly options?: readonly string[];
  /** What holds where it is absent, as words. */
  readonly absent?: string;
  /** It cannot be taken away. */
  readonly needed?: true;
}

/** Rows of a list inside an object; `*` in the path is every item. */
export interface RowsForm {
  readonly path: readonly (string | "*")[];
  /** What a row is called: the values at these paths, from the outermost list in. */
  readonly names: readonly string[];
  readonly fields: readonly FieldForm[];
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
}

export interface FormObject {
  /** Which document of the text it is. */
  readonly document: number;
  readonly kind: string;
  readonly name: string;
  /** Line of its first key, from 1. */
  readonly line: number;
  /** Empty where the form has nothing of this kind: it is in the text only. */
  readonly parts: readonly FormPart[];
}
