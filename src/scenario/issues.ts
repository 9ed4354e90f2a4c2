/** What the schema finds wrong, said so that a person can put it right: place as a JSON pointer, sentence, remedy. */
import type * as z from "zod/mini";
import type { Problem } from "../base/problem.ts";

type Issue = z.core.$ZodIssue;

/** A path into a document as a JSON pointer (RFC 6901). */
export function pointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** What the schema found, as a problem with place, sentence and remedy. Called by `read.ts` once for each issue. */
export function problemOfIssue(issue: Issue): Problem {
  const place = pointer(issue.path) || "/";
  switch (issue.code) {
    case "unrecognized_keys":
      return {
        place,
        message: `Unknown ${issue.keys.length === 1 ? "field" : "fields"}: ${issue.keys.join(", ").slice(0, 200)}.`,
        remedy: "Remove it, or check its spelling against the published schema (scenario.v1.json).",
      };
    case "invalid_type":
      return {
        place,
        message:
          issue.input === undefined
            ? "This field is missing."
            : `This must be ${article(issue.expected)}.`,
        remedy: `Give ${article(issue.expected)}.`,
      };
    case "too_small":
      return {
        place,
        message: issue.origin === "string" ? emptyWords(place) : "The value is too small.",
        remedy: `Use at least ${String(issue.minimum)}${sizeWord(issue.origin, issue.minimum)}.`,
      };
    case "too_big":
      return {
        place,
        message: "The value is too large.",
        remedy: `Use at most ${String(issue.maximum)}${sizeWord(issue.origin, issue.maximum)}.`,
      };
    case "invalid_value":
      return {
        place,
        message: "The value is not one of those allowed.",
        remedy: `Use one of: ${issue.values.map(String).join(", ")}.`,
      };
    case "invalid_format":
      return { place, message: "The text does not have the right form.", remedy: formOf(place) };
    case "invalid_union":
      return {
        place,
        message: "The value has none of the allowed forms.",
        remedy: "See the published schema (scenario.v1.json) for the forms.",
      };
    default:
      return {
        place,
        message: "The value is not allowed here.",
        remedy: "See the published schema (scenario.v1.json).",
      };
  }
}

function emptyWords(place: string): string {
  if (!place.endsWith("/id")) return "The text is empty.";
  return `Give ${/\/jobs?\//.test(place) ? "the job" : "it"} an id.`;
}

function article(expected: string): string {
  const word = expected === "int" ? "whole number" : expected;
  return `${/^[aeiou]/.test(word) ? "an" : "a"} ${word}`;
}

function sizeWord(origin: string, size: number | bigint): string {
  const one = Number(size) === 1;
  if (origin === "string") return one ? " character" : " characters";
  return origin === "array" ? (one ? " entry" : " entries") : "";
}

function formOf(place: string): string {
  if (place.endsWith("/calendarStart"))
    return "Write YYYY-MM-DDTHH:MM:SS, such as 2026-03-02T08:00:00.";
  if (place.endsWith("/sha256"))
    return "Write the SHA-256 of the file as 64 hexadecimal digits in lower case.";
  return "See the published schema (scenario.v1.json).";
}
