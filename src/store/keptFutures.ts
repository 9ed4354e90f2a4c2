/**
 * Kept futures in the link: `k=<documents>`, each as what differs from the one that is shown, so that a reload or a reader has the same
 * comparison. They are computed again, one after the other and out of sight, once the run that is shown is complete; until then the address keeps the text it
 * came with. Where they would make the link too long they stay out of it, and `keptInLink` says so.
 */
import { LIMITS } from "../model/limits.ts";
import { firstDifferenceMs } from "../scenario/interventions.ts";
import type { Scenario } from "../scenario/schema.ts";
import { type Branch, branches } from "./branches.ts";
import type { Shows } from "./incoming.ts";
import { fetchLinkCode, linkCode } from "./linkCode.ts";
import { notify } from "./notices.ts";
import { useApp } from "./store.ts";
import type { WorkerClient } from "./workerClient.ts";

/** The text that a link came with, of futures that are not computed yet. */
let pending: { readonly text: string; readonly shown: Scenario } | null = null;

let last: {
  readonly kept: readonly Branch[];
  readonly shown: Scenario;
  readonly text: string | null;
} | null = null;

/** The text for a link of `room` characters; "" where nothing is kept, null where it does not fit. Kept until either side changes. */
export function keptText(shown: Scenario, room: number): string | null {
  if (pending?.shown === shown) return pending.text.length <= room ? pending.text : null;
  const kept = branches.get();
  const codec = linkCode()?.codec;
  if (kept.length === 0 || !codec) return "";
  if (last?.kept !== kept || last.shown !== shown) {
    const variants = kept.map(({ scenario }) => scenario);
    last = { kept, shown, text: codec.encodeVariants(variants, shown) };
  }
  return last.text !== null && last.text.length <= room ? last.text : null;
}

/** How many futures are kept, and whether a link beside `code` has room for them. */
export function keptInLink(code: string | null): {
  readonly count: number;
  readonly fits: boolean;
} {
  const { scenario } = useApp.getState();
  const count = branches.get().length;
  if (!scenario || count === 0) return { count, fits: true };
  return {
    count,
    fits: code !== null && keptText(scenario, LIMITS.linkBytes - code.length) !== null,
  };
}

/** Computes the futures that a link brought, beside the scenario that it opened. Ends early when the reader changes that. */
export async function restoreFutures(client: WorkerClient, text: string): Promise<void> {
  const { scenario: shown } = useApp.getState();
  if (!shown) return;
  const mine = { text, shown };
  pending = mine;
  const stands = () => pending === mine && useApp.getState().scenario === shown;
  await client.settled();
  const code = await fetchLinkCode().catch(() => null);
  const variants = stands() ? (code?.codec.decodeVariants(text, shown) ?? []) : [];
  const beside = variants.filter((variant) => firstDifferenceMs(shown, variant) !== "base");
  const release = client.holdQuestions();
  let computed = shown;
  let kept = 0;
  try {
    for (const scenario of beside) {
      if (!stands()) break;
      if (await compute(client, computed, scenario, "nothing")) computed = scenario;
      const complete = client.complete();
      if (stands() && complete?.future.scenario === scenario)
        if (branches.keep({ scenario, ...complete })) kept += 1;
    }
    // The worker answers questions about the run that is shown again. A future that was refused leaves its problems in the place of the run's state.
    if (stands() && beside.length > 0) await compute(client, computed, shown, "whole");
  } finally {
    release();
  }
  if (stands() && kept < Math.max(1, beside.length)) notify(missingWords(kept));
  if (pending === mine) pending = null;
}

function missingWords(kept: number): string {
  const what = kept === 0 ? "The futures" : "Some of the futures";
  return `${what} that the link kept for comparison could not be brought back: the link may be damaged, or made with another version. The scenario is whole.`;
}

async function compute(
  client: WorkerClient,
  from: Scenario,
  to: Scenario,
  shows: Shows,
): Promise<boolean> {
  const sinceMs = firstDifferenceMs(from, to);
  const outcome = await client
    .open(to, sinceMs === "base" ? null : sinceMs, shows)
    .catch(() => null);
  await client.settled();
  return outcome?.kind === "opened";
}
