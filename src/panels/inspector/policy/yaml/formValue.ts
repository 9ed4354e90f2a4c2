/** From what is typed into a field of the form to the value that goes into the text; null takes it out. */
import type { Result } from "../../../../base/result.ts";
import { err, ok } from "../../../../base/result.ts";
import type { FieldForm, FormInput } from "../../../../scenario/kubernetes/form/formSpec.ts";
import { quantityOf } from "../../../../scenario/kubernetes/quantity.ts";

const TEXT_MOST = 253;

export function typedValue(
  { kind, needed, staysEmpty }: FieldForm,
  typed: string,
): Result<FormInput, string> {
  const text = typed.trim();
  if (text === "") return needed ? err("This is needed.") : ok(staysEmpty ? {} : null);
  switch (kind) {
    case "integer":
      return /^-?\d{1,15}$/.test(text) ? ok(Number(text)) : err("Type a whole number.");
    case "number":
      return /^-?\d{1,15}(?:\.\d{1,6})?$/.test(text) ? ok(Number(text)) : err("Type a number.");
    case "amount":
      if (quantityOf(text) === null) return err("Type an amount, such as 8, 500m or 64Gi.");
      return ok(/^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text);
    case "boolean":
      return ok(text === "true");
    case "enum":
      return ok(text);
    case "text":
      if (text.length > TEXT_MOST) return err(`Use at most ${TEXT_MOST} characters.`);
      return ok(text);
    case "share":
      if (!/^\d{1,7}%?$/.test(text)) return err("Type a number, or per cent.");
      return ok(text.endsWith("%") ? text : Number(text));
    case "list":
      return ok(wordsOf(text));
    case "labels":
      return labelsOf(text);
  }
}

const wordsOf = (text: string): string[] =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");

function labelsOf(text: string): Result<Record<string, string>, string> {
  const labels: [string, string][] = [];
  for (const word of wordsOf(text)) {
    const [, name, value] = /^([^=\s]+)=([^=\s]*)$/.exec(word) ?? [];
    if (name === undefined || value === undefined || word.length > TEXT_MOST)
      return err("Type name=value, and a comma between two.");
    if (labels.some(([other]) => other === name)) return err(`“${name}” is there twice.`);
    labels.push([name, value]);
  }
  return ok(Object.fromEntries(labels));
}

/** How the form will show a value once the text that now shows `before` has it: entries that were there keep their order. */
export function shownOf(value: FormInput, before: string): string {
  if (value === null) return "";
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.join(", ");
  const labels = value as Readonly<Record<string, string>>;
  const old = wordsOf(before).map((word) => word.split("=")[0]!);
  const names = [
    ...old.filter((name) => Object.hasOwn(labels, name)),
    ...Object.keys(labels).filter((name) => !old.includes(name)),
  ];
  return names.map((name) => `${name}=${labels[name]}`).join(", ");
}
