/** What is known of nodes that are, or will be, kept free for some jobs or for nobody. */
import type { ClosurePart } from "../parts.ts";
import { windowClosures } from "./windowClosures.ts";

export const CLOSURES: readonly ClosurePart<unknown>[] = [windowClosures as ClosurePart<unknown>];
