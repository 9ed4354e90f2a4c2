/** From what is typed into a field of the form to the value that goes into the text; null takes it out. */
import type { Result } from "../../../../base/result.ts";
import { err, ok } from "../../../../base/result.ts";
import type { FieldForm } from "../../../../scenario/kubernetes/form/formSpec.ts";
import { quantityOf } from "../../../../scenario/kubernetes/quantity.ts";

const TEXT_MOST = 253;

export function typedValue(
  { kind, needed }: FieldForm,
  typed: string,
): Result<string | number | boolean | null, string> {
  const text = typed.trim();
  if (text === "") return needed ? err("This is needed.") : ok(null);
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
  }
}
