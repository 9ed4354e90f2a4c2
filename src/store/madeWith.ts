/**
 * What a link says of the run it was made from: `d=<digest>.<engine>.<mean wait>`, the first eight digits of the digest, the version of the engine, and the
 * mean wait in tenths of a second, base 36, where it is known. Another engine may come to other results, and the reader is told which. Links from before
 * have the digest alone.
 */
import { numberText } from "../base/format.ts";
import { ENGINE_VERSION } from "../engine/version.ts";
import { knownMetrics } from "./knownMetrics.ts";
import type { Future } from "./runData.ts";

const SHOWN = 8;
const TENTH_MS = 100;

export interface Made {
  readonly digest: string;
  readonly engine: number | null;
  readonly meanWaitMs: number | null;
}

/** First eight characters of a digest: what the page shows and the link carries. */
export function shortDigest(digest: string): string {
  return digest.slice(0, SHOWN);
}

/** What a complete future is, as `encodeMade` writes it. */
export function madeFrom(future: Future): Made {
  const meanSec = knownMetrics(future)?.waitSec.mean ?? null;
  return {
    digest: shortDigest(future.digest),
    engine: ENGINE_VERSION,
    meanWaitMs: meanSec === null || !Number.isFinite(meanSec) ? null : meanSec * 1_000,
  };
}

/** The engine that computes in this page. */
export function pageEngineVersion(): number {
  return ENGINE_VERSION;
}

export function encodeMade({ digest, engine, meanWaitMs }: Made): string {
  if (engine === null) return digest;
  const wait = meanWaitMs === null ? "" : `.${Math.round(meanWaitMs / TENTH_MS).toString(36)}`;
  return `${digest}.${engine}${wait}`;
}

/** Total; parts that cannot be read are unknown. */
export function decodeMade(text: string): Made {
  const [digest = "", engine = "", wait = ""] = text.split(".");
  return {
    digest: digest.slice(0, SHOWN),
    engine: /^\d{1,6}$/.test(engine) ? Number(engine) : null,
    meanWaitMs: /^[0-9a-z]{1,9}$/.test(wait) ? Number.parseInt(wait, 36) * TENTH_MS : null,
  };
}

/** What to tell a reader whose run came out another than the one the link was made from; null where it is the same. */
export function difference(made: Made, now: Made): { title: string; detail: string } | null {
  if (made.digest === now.digest) return null;
  if (made.engine === null || made.engine === now.engine) {
    return {
      title: "The results differ from those of the link.",
      detail: `Its digest was ${made.digest} where the link was made and is ${now.digest} here. Another version of the program can make such a difference, and so can a fault in one of them.`,
    };
  }
  const waits =
    made.meanWaitMs === null || now.meanWaitMs === null
      ? ""
      : `: mean wait ${change(made.meanWaitMs, now.meanWaitMs)}`;
  return {
    title: `Made with engine ${made.engine}; recomputed with engine ${now.engine}${waits}.`,
    detail: `Digest ${made.digest} then, ${now.digest} now. What changed between them is in the change log.`,
  };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** "12.1 → 11.8 min": both in the unit of the longer one, near enough to see a small difference. */
function change(fromMs: number, toMs: number): string {
  const longerMs = Math.max(fromMs, toMs);
  const [unitMs, unit] =
    longerMs < 2 * MINUTE_MS
      ? [1_000, "s"]
      : longerMs < 10 * HOUR_MS
        ? [MINUTE_MS, "min"]
        : [HOUR_MS, "h"];
  return `${numberText(fromMs / unitMs, 1)} → ${numberText(toMs / unitMs, 1)} ${unit}`;
}
