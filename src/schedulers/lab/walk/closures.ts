/** What is known of nodes that are, or will be, kept free for some jobs or for nobody. */
import type { ClosurePart } from "./parts.ts";

export const CLOSURES: readonly ClosurePart<unknown>[] = [];
