/** The uplinks of a leaf in words and rows. Rates are shown in GB/s of one direction, 10⁹ bytes a second. */
import { countText, NBSP, numberText } from "../../../base/format.ts";
import type { Network } from "../../../model/lab/services.ts";
import type { Crossing, LinkStory } from "../../../timeline/topologyMap/linkStory.ts";

const BYTES_PER_MS_OF_GB_PER_S = 1_000_000;

function rateText(bytesPerMs: number): string {
  return `${numberText(bytesPerMs / BYTES_PER_MS_OF_GB_PER_S, 1)}${NBSP}GB/s`;
}

/** What matters first: who crosses, and whether that is more than the links carry. */
export function linkSentence({ crossings, asked }: LinkStory): string {
  if (crossings.length === 0) return "No gang crosses its uplinks now.";
  const who = `${countText(crossings.length, "gang")} ${crossings.length === 1 ? "crosses" : "cross"} its uplinks`;
  if (asked === null || asked === 0) return `${who}.`;
  if (asked <= 1) return `${who} and ${crossings.length === 1 ? "has" : "have"} room on them.`;
  return `${who} and could use ${numberText(asked, 1)}${NBSP}× what they carry: each is slowed down.`;
}

/** `carried`: share of the capacity that the run recorded; NaN = none. */
export function linkLines(
  { capacity, asked }: LinkStory,
  carried: number,
  network: Pick<Network, "oversubscription"> | null,
): readonly (readonly [head: string, value: string])[] {
  if (capacity === null) return [["Capacity", "not modelled: the scenario has no network"]];
  const over = network?.oversubscription ?? 1;
  const how = over === 1 ? "not oversubscribed" : `oversubscribed ${numberText(over, 1)}${NBSP}: 1`;
  const traffic = Number.isNaN(carried)
    ? "none recorded"
    : `${rateText(carried * capacity)}, ${Math.round(100 * carried)}${NBSP}%`;
  return [
    ["Capacity", `${rateText(capacity)}, ${how}`],
    ["Traffic", traffic],
    ["Asked for", `${rateText((asked ?? 0) * capacity)}, ${numberText(asked ?? 0, 1)}${NBSP}×`],
  ];
}

/** "8 of 32 GPUs here, could use 50 GB/s". */
export function crossingWords(
  { here, elsewhere, rate }: Crossing,
  { capacity }: LinkStory,
  word: string,
): string {
  const place = `${numberText(here)} of ${countText(here + elsewhere, word)} here`;
  if (capacity === null) return place;
  return rate === null ? `${place}, sends nothing` : `${place}, could use ${rateText(rate)}`;
}
