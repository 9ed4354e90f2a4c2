/** Words for the fields of a form: a path is written with dots where no key of it has one. */
import type { FieldForm, NewItem, Path, RowsForm } from "./formSpec.ts";

export const GPU = "nvidia.com/gpu";
/** The field that absence is told of without a default of its own. */
export const NOT_SAID = "not said";

type Where = string | Path;

const steps = (path: Where): Path => (typeof path === "string" ? path.split(".") : path);

const fieldOf =
  (kind: FieldForm["kind"]) =>
  (path: Where, label: string, sentence: string, absent?: string): FieldForm => ({
    path: steps(path),
    label,
    kind,
    sentence,
    ...(absent === undefined ? {} : { absent }),
  });

export const text = fieldOf("text");
export const integer = fieldOf("integer");
export const number = fieldOf("number");
export const amount = fieldOf("amount");
export const share = fieldOf("share");
export const flag = fieldOf("boolean");
export const list = fieldOf("list");
export const labels = fieldOf("labels");

/** One of some words; the first holds where none is given. */
export const choice = (
  path: Where,
  label: string,
  options: readonly string[],
  sentence: string,
): FieldForm => ({ ...fieldOf("enum")(path, label, sentence, options[0]!), options });

export const needed = (field: FieldForm): FieldForm => ({ ...field, needed: true });

export const NAME = needed(text("metadata.name", "Name", "What others refer to."));

export const namespace = (sentence: string, absent: string): FieldForm =>
  text("metadata.namespace", "Namespace", sentence, absent);

/** Rows of one list, whose items can be added and taken away. `name` is the word for one of them. */
export const rows = (
  path: Where,
  name: string,
  fields: readonly FieldForm[],
  item: Omit<NewItem, "words">,
): RowsForm => ({
  path: [...steps(path), "*"],
  names: [name],
  fields,
  item: { words: name, ...item },
});
