/** From text to the value of a field and back, and what is wrong with text that is no such value. */
import { durationEntry, readDuration } from "../../base/durationEntry.ts";
import { numberText } from "../../base/format.ts";
import type { Json } from "../../base/json.ts";
import type { LeafSpec } from "./fieldSpec.ts";
import type { Leaf } from "./leaf.ts";

/** How a value stands in its field. Text that is no value stands as it was typed. */
export function textOf(value: Json | undefined, leaf: Leaf, spec: LeafSpec): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (spec.as === "pairs")
    return Object.entries(value as object)
      .map(([key, word]) => `${key}=${String(word)}`)
      .join(", ");
  if (spec.as === "models")
    return (value as unknown as readonly { model: string; speed: number }[])
      .map(({ model, speed }) => (speed === 1 ? model : `${model} × ${speed}`))
      .join(", ");
  if (spec.as === "points")
    return (value as unknown as readonly { atMs: number; perSec: number }[])
      .map(({ atMs, perSec }) => `${durationEntry(atMs)}: ${perSec}`)
      .join(", ");
  if (spec.as === "weights" || spec.as === "nameWeights")
    return (value as unknown as readonly { value: Json; weight: number }[])
      .map(({ value: of, weight }) => `${String(of)}: ${weight}`)
      .join(", ");
  if (spec.as === "speeds")
    return (value as unknown as readonly { members: number; speed: number }[])
      .map(({ members, speed }) => `${members}: ${speed}`)
      .join(", ");
  if (Array.isArray(value)) return value.map(String).join(", ");
  if (leaf.kind === "duration") return durationEntry(Number(value));
  return String(value);
}

/** The value of what was typed: absent where nothing was, the text itself where it is none, so that it is kept and refused by name. */
export function readText(text: string, leaf: Leaf, spec: LeafSpec): Json | undefined {
  const typed = text.trim();
  if (spec.as === "pairs") return pairsOf(typed) ?? text;
  if (spec.as === "models") return modelsOf(typed) ?? text;
  if (spec.as === "points") return pointsOf(typed) ?? text;
  if (spec.as === "speeds") return typed === "" ? undefined : (speedsOf(typed) ?? text);
  if (spec.as === "numbers") return numbersOf(typed) ?? text;
  if (spec.as === "weights" || spec.as === "nameWeights") {
    if (typed === "" && leaf.optional) return undefined;
    return weightsOf(typed, spec.as === "nameWeights") ?? text;
  }
  switch (leaf.kind) {
    case "list":
      return typed === "" && leaf.optional ? undefined : partsOf(typed);
    case "integer":
    case "number": {
      if (typed === "") return leaf.optional ? undefined : text;
      const number = Number(typed.replace(/^\u2212/, "-"));
      return Number.isFinite(number) ? number : text;
    }
    case "duration":
      if (typed === "") return leaf.optional ? undefined : text;
      return readDuration(typed) ?? text;
    default:
      return typed === "" && leaf.optional ? undefined : text;
  }
}

const partsOf = (text: string): string[] =>
  text
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");

function numbersOf(text: string): number[] | undefined | null {
  if (text === "") return undefined;
  const numbers = text.split(/[,;\s]+/).map(Number);
  return numbers.every(Number.isFinite) ? numbers : null;
}

function pairsOf(text: string): Json | undefined | null {
  return text === "" ? undefined : pairsFrom(text);
}

/** "zone=b, disk=ssd" by name; null where that is not what is written. */
export function pairsFrom(text: string): Record<string, string> | null {
  if (text.trim() === "") return {};
  const pairs = partsOf(text).map((part) => part.split("="));
  if (!pairs.every(([key, word, more]) => key?.trim() && word?.trim() && more === undefined))
    return null;
  return Object.fromEntries(pairs.map(([key = "", word = ""]) => [key.trim(), word.trim()]));
}

function modelsOf(text: string): Json | undefined | null {
  if (text === "") return undefined;
  const models = partsOf(text).map((part) => {
    const [model = "", speed = "1"] = part.split(/\s*[×*:]\s*/);
    return { model: model.trim(), speed: Number(speed) };
  });
  return models.every(({ speed }) => Number.isFinite(speed)) ? models : null;
}

function pointsOf(text: string): Json | null {
  const points = partsOf(text).map((part) => {
    const [at = "", rate = ""] = part.split(":");
    return { atMs: readDuration(at), perSec: rate.trim() === "" ? Number.NaN : Number(rate) };
  });
  if (!points.every(({ atMs, perSec }) => atMs !== null && Number.isFinite(perSec))) return null;
  return points as unknown as Json;
}

function speedsOf(text: string): Json | null {
  const speeds = partsOf(text).map((part) => {
    const [members = "", speed = ""] = part.split(":").map((word) => word.trim());
    return { members: Number(members || Number.NaN), speed: Number(speed || Number.NaN) };
  });
  return speeds.every(({ members, speed }) => Number.isFinite(members) && Number.isFinite(speed))
    ? speeds
    : null;
}

/** A weight that is left out is 1. */
function weightsOf(text: string, ofNames: boolean): Json | null {
  const parts = partsOf(text).map((part) => {
    const [of = "", weight = "1"] = part.split(":").map((word) => word.trim());
    return { value: ofNames ? of : Number(of), of, weight: Number(weight) };
  });
  const isRead = ({ value, of, weight }: (typeof parts)[number]) =>
    of !== "" && weight > 0 && (ofNames || Number.isFinite(value));
  if (parts.length === 0 || !parts.every(isRead)) return null;
  return parts.map(({ value, weight }) => ({ value, weight }));
}

/** What is wrong with a value as its field holds it; null where the schema's own word is better, or nothing is. */
export function entryError(value: Json | undefined, leaf: Leaf, spec: LeafSpec): string | null {
  if (spec.as !== undefined) {
    if (typeof value !== "string" || spec.as === "interval") return null;
    return FORMS[spec.as];
  }
  if (value === undefined) return leaf.optional ? null : "This is needed.";
  if (typeof value === "string" && value.trim() === "" && !leaf.optional) return "This is needed.";
  if (leaf.kind === "duration") {
    if (typeof value === "string") return "Write a time with its unit: 90 s, 15 min, 2 d.";
    if (Number(value) < leaf.least) return `The least is ${durationEntry(leaf.least)}.`;
    if (Number(value) > leaf.most) return `The most is ${durationEntry(leaf.most)}.`;
  }
  if (leaf.kind === "integer" || leaf.kind === "number") {
    if (typeof value === "string") return "Type a number.";
    if (leaf.kind === "integer" && !Number.isInteger(value)) return "Type a whole number.";
    if (Number(value) < leaf.least) return `The least is ${numberText(leaf.least, 0)}.`;
    if (Number(value) > leaf.most) return `The most is ${numberText(leaf.most, 0)}.`;
  }
  return null;
}

const FORMS = {
  pairs: "Write name=value, with commas between: zone=a, ssd=yes.",
  models: "Write models with commas between, and a speed where it differs: H100, A100 × 0.5.",
  numbers: "Write whole numbers with commas between.",
  nameWeights: "Write name: weight, with commas between: research: 2, product: 1.",
  weights: "Write value: weight, with commas between: 8: 3, 64: 1.",
  speeds: "Write members: speed, with commas between: 4: 0.6, 8: 1.",
  points: "Write time: rate, with commas between: 0 s: 4, 8 h: 20.",
} as const;
