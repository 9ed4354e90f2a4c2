/** Ray: the nodes its default policy may take, where bundles go, and how many nodes the autoscaler asks for. */
import type { RayStrategy } from "../../model/kubernetes/rayRequest.ts";
import { type HybridSettings, hybridCandidates } from "../../scheduling/ray/hybrid.ts";
import { launchesOf, type NodeType } from "../../scheduling/ray/launches.ts";
import { placeGroup } from "../../scheduling/ray/placementGroup.ts";
import { columnsOf, type NamedAmounts, type NamedNode } from "./rayNames.ts";
import type { VectorCheck } from "./schedVectors.ts";

export interface ChoiceInput extends HybridSettings {
  readonly local: string;
  readonly nodes: readonly NamedNode[];
  readonly request: NamedAmounts;
  readonly requireAvailable: boolean;
  readonly avoidLocal: boolean;
}

/** Names of the nodes that the default policy may take. */
export function choiceNames(asked: ChoiceInput): string[] {
  const { nodes, names, row } = columnsOf(asked.nodes, [asked.request]);
  const local = names.indexOf(asked.local);
  const ask = { ...asked, request: row(asked.request), local, mask: null, known: nodes.count };
  return hybridCandidates(ask, nodes, asked).map((node) => names[node]!);
}

/** One candidate is the node; of several, any may be taken. */
export const rayNodeChoice: VectorCheck = (input) => {
  const candidates = choiceNames(input as unknown as ChoiceInput);
  if (candidates.length > 1) return { nodeOneOf: candidates };
  return { node: candidates[0] ?? null, nodeOneOf: candidates };
};

export interface GroupInput {
  readonly strategy: RayStrategy;
  readonly nodes: readonly NamedNode[];
  readonly bundles: readonly NamedAmounts[];
  readonly softTarget?: string;
}

/** Where the bundles of a group go, by name. */
export function groupNames({ strategy, nodes: given, bundles, softTarget }: GroupInput) {
  const { nodes, names, row } = columnsOf(given, bundles);
  const target = softTarget === undefined ? -1 : names.indexOf(softTarget);
  const ask = { strategy, bundles: bundles.map(row), softTarget: target, mask: null };
  const placed = placeGroup(ask, nodes);
  return { status: placed.status, nodes: placed.nodes.map((node) => names[node]!) };
}

export const rayPlacementGroup: VectorCheck = (input) => groupNames(input as unknown as GroupInput);

interface LaunchInput {
  readonly types: readonly NodeType[];
  readonly upscalingSpeed: number;
  readonly maxConcurrentLaunches: number;
}

export const rayLaunchLimit: VectorCheck = (input) => {
  const { types, upscalingSpeed, maxConcurrentLaunches } = input as unknown as LaunchInput;
  const counts = launchesOf(types, upscalingSpeed, maxConcurrentLaunches);
  return { launch: Object.fromEntries(types.map(({ name }, at) => [name, counts[at]!])) };
};
