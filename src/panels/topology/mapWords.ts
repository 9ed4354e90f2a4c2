/** The map in words: what lies at a place, for the pointer and for those who hear it, and how the selected job is placed. */
import { countText, durationText, NBSP, numberText } from "../../base/format.ts";
import { NODE_STATES, type NodeState } from "../../model/states.ts";
import { jobLabel } from "../../timeline/jobNames.ts";
import { leafText } from "../../timeline/nodeWords.ts";
import type { Contention } from "../../timeline/topologyMap/mapContention.ts";
import type { Placement, SpeedStory } from "../../timeline/topologyMap/mapPlacement.ts";
import type { MapPlace } from "../../timeline/topologyMap/mapPlaces.ts";
import type { MapState } from "../../timeline/topologyMap/mapState.ts";

export interface PlaceWords {
  readonly title: string;
  readonly lines: readonly string[];
}

const JOBS_MOST = 5;

const STATE_WORDS: Readonly<Record<NodeState, string>> = {
  open: "",
  drained: "Drained: takes no new work.",
  down: "Down.",
  unborn: "Not there.",
  silent: "Failed, not noticed yet.",
};

/** O(devices of the place). `device`: the one pointed at, −1 = none. */
export function placeWords(
  state: MapState,
  place: MapPlace,
  contention: Contention | null,
  device = -1,
): PlaceWords {
  return place.kind === "unit"
    ? unitWords(state, place.unit, contention, device)
    : blockWords(state, place.block, contention);
}

function unitWords(
  state: MapState,
  u: number,
  contention: Contention | null,
  device: number,
): PlaceWords {
  const { units, cluster, groupDomain, groupOfUnit } = state.tree;
  const word = cluster.deviceWord;
  const first = units.unitFirst[u]!;
  const end = units.unitFirst[u + 1]!;
  const node = units.unitNode[u]!;
  const name = cluster.flat ? `${word}s ${first + 1}–${end}` : (cluster.nodeNames[node] ?? "");
  const lines = [`${heldText(state, first, end)}; ${fitsText(state.fits.unit[u]!, word)}`];
  const closed = STATE_WORDS[NODE_STATES[state.holders.stateOfNode[node]!] ?? "open"];
  if (closed !== "") lines.push(closed);
  const failed = countFailed(state, first, end);
  if (failed > 0) lines.push(`${countText(failed, word)} failed.`);
  lines.push(...jobLines(state, first, end, contention, device));
  const domain = groupDomain[groupOfUnit[u]!]!;
  if (domain >= 0)
    lines.push(
      `NVSwitch domain ${domain + 1}: ${fitsText(state.fits.group[groupOfUnit[u]!]!, word)}`,
    );
  if (units.leaves) {
    const leaf = cluster.leafNames[units.blockOfUnit[u]!] ?? "";
    lines.push(`Under ${leafText(leaf)}`);
  }
  return { title: name, lines };
}

function blockWords(state: MapState, b: number, contention: Contention | null): PlaceWords {
  const { units, cluster } = state.tree;
  const word = cluster.deviceWord;
  const first = units.unitFirst[units.blockFirst[b]!]!;
  const end = units.unitFirst[units.blockFirst[b + 1]!]!;
  const { fits } = state;
  const lines = [
    heldText(state, first, end),
    `Largest gang that fits: ${countText(fits.block[b]!, word)}; on one node ${fits.blockNode[b]}, in whole nodes ${fits.blockWhole[b]}`,
  ];
  if (units.leaves) lines.push(uplinkText(state, b, contention));
  const title = units.leaves
    ? leafText(cluster.leafNames[b] ?? "")
    : `Nodes ${units.blockNames[b]}`;
  return { title: title.charAt(0).toUpperCase() + title.slice(1), lines };
}

/** What a leaf's uplinks carry, or are asked to, as far as it is known. */
function uplinkText(state: MapState, b: number, contention: Contention | null): string {
  const share = Math.round(state.blockLink[b]! * 100);
  const asked = contention ? ` Asked for ${loadText(contention.ofLeaf[b]!)} of it.` : "";
  return state.uplinksKnown
    ? `Uplinks: ${share}${NBSP}% of their bandwidth is in use.${asked}`
    : `Uplinks: ${share}${NBSP}% of its ${state.tree.cluster.deviceWord}s are in jobs that reach beyond this leaf.`;
}

function loadText(load: number): string {
  return `${numberText(load, 1)}${NBSP}×`;
}

function heldText(state: MapState, first: number, end: number): string {
  let held = 0;
  for (let d = first; d < end; d++) if (state.holders.jobOfDevice[d]! >= 0) held += 1;
  return `${held} of ${countText(end - first, state.tree.cluster.deviceWord)} held`;
}

function fitsText(count: number, word: string): string {
  return count === 0 ? "nothing more fits" : `a gang of ${countText(count, word)} still fits`;
}

function countFailed(state: MapState, first: number, end: number): number {
  let failed = 0;
  for (let d = first; d < end; d++) failed += state.failedDevice[d]!;
  return failed;
}

/** The jobs on some devices with how many each has; that of the device pointed at stands first. */
function jobLines(
  state: MapState,
  first: number,
  end: number,
  contention: Contention | null,
  device: number,
): string[] {
  const counts = new Map<number, { devices: number; parts: number }>();
  const at = (jobIdx: number) => {
    const entry = counts.get(jobIdx) ?? { devices: 0, parts: 0 };
    counts.set(jobIdx, entry);
    return entry;
  };
  for (let d = device >= 0 ? device : end; d <= device; d++)
    if (holderOf(state, d) >= 0) at(holderOf(state, d));
  for (let d = first; d < end; d++) {
    const slices = state.slices.get(d);
    if (slices) for (const { jobIdx } of slices) at(jobIdx).parts += 1;
    else if (state.holders.jobOfDevice[d]! >= 0) at(state.holders.jobOfDevice[d]!).devices += 1;
  }
  const { stage } = state;
  const lines = [...counts].map(([jobIdx, { devices, parts }]) => {
    const has = [
      devices > 0 ? countText(devices, stage.cluster.deviceWord) : "",
      parts > 0 ? countText(parts, "part") : "",
    ].filter((text) => text !== "");
    const load = contention?.ofJob.get(jobIdx);
    const asked = load === undefined ? "" : `, its fullest link is asked for ${loadText(load)}`;
    const letter = stage.tiers[stage.jobs.at.tier[jobIdx]!]?.letter ?? "";
    const team = stage.teams.length > 1 ? stage.teams[stage.jobs.at.team[jobIdx]!] : undefined;
    const whose = team ? `, ${team.name || team.id}` : "";
    return `${letter} ${jobLabel(stage.jobs, jobIdx)}: ${has.join(", ")}${whose}${asked}`;
  });
  if (lines.length <= JOBS_MOST) return lines;
  return [...lines.slice(0, JOBS_MOST), `and ${countText(lines.length - JOBS_MOST, "job")} more`];
}

/** The job of a device, or of its first part; −1 = free. */
export function holderOf(state: MapState, device: number): number {
  return state.slices.get(device)?.[0]?.jobIdx ?? state.holders.jobOfDevice[device] ?? -1;
}

/** One sentence for the live region. */
export function spokenPlace(words: PlaceWords): string {
  return [words.title, ...words.lines].join(". ");
}

/** Least part of a run that is worth naming as saved. */
const WORTH = 0.005;

/** How the selected job is placed, and what a better placement would save. `inParts`: it has shares or slices of devices. */
export function placementWords(
  label: string,
  word: string,
  inParts: boolean,
  hasFabric: boolean,
  placement: Placement,
  speed: SpeedStory | null,
): string {
  const { devices, now, fewest } = placement;
  const nodes = countText(now.nodes, "node");
  const under = hasFabric ? ` under ${countText(now.leaves, "leaf", "leaves")}` : "";
  const begin = `Job ${label}: ${inParts ? "part of " : ""}${countText(devices, word)} on ${nodes}${under}.`;
  const better = [
    fewest.nodes < now.nodes ? countText(fewest.nodes, "node") : "",
    hasFabric && fewest.leaves < now.leaves ? countText(fewest.leaves, "leaf", "leaves") : "",
  ].filter((text) => text !== "");
  const fewer =
    better.length === 0
      ? "It could not stand closer."
      : `It would fit on ${better.join(" under ")}.`;
  if (!speed) return `${begin} ${fewer}`;
  if (speed.savedMs < WORTH * speed.lastsMs)
    return `${begin} ${fewer} Its links do not slow it down.`;
  const pace = `It goes at ${Math.round(speed.speedNow * 100)}${NBSP}% of its packed speed now`;
  return `${begin} ${fewer} ${pace}; packed, this run of ${durationText(speed.lastsMs)} would be about ${durationText(speed.savedMs)} shorter.`;
}
