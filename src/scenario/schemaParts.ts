/** Kinds of values that stand in many places of the document. */
import * as z from "zod/mini";
import { LIMITS } from "../model/limits.ts";

// Before the first schema is made: no code is built from text anywhere.
z.config({ jitless: true });

export const name = z.string().check(z.minLength(1), z.maxLength(LIMITS.nameLength));
export const text = z.string().check(z.maxLength(4_000));
export const timeMs = z.int().check(z.gte(0), z.lte(LIMITS.horizonMs));
export const durationMs = z.int().check(z.gte(1), z.lte(LIMITS.horizonMs));
export const count = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most));
