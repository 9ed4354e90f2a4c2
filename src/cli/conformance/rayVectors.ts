/** Ray: the nodes its default policy may take, where bundles go, and how many nodes the autoscaler asks for. */
import { type HybridSettings, hybridCandidates } from "../../scheduling/ray/hybrid.ts";
import { launchesOf, type NodeType } from "../../scheduling/ray/launches.ts";
import { type GroupStrategy, placeGroup } from "../../scheduling/ray/placementGroup.ts";
import type { RayNode, RayResources } from "../../scheduling/ray/resources.ts";
import type { VectorCheck } from "./schedVectors.ts";

interface ChoiceInput extends HybridSettings {
  readonly local: string;
  readonly nodes: readonly RayNode[];
  readonly request: RayResources;
  readonly requireAvailable: boolean;
  readonly avoidLocal: boolean;
}

/** One candidate is the node; of several, any may be taken. */
export const rayNodeChoice: VectorCheck = (input) => {
  const asked = input as unknown as ChoiceInput;
  const candidates = hybridCandidates(asked, asked.nodes, asked);
  if (candidates.length > 1) return { nodeOneOf: candidates };
  return { node: candidates[0] ?? null, nodeOneOf: candidates };
};

interface GroupInput {
  readonly strategy: GroupStrategy;
  readonly nodes: readonly RayNode[];
  readonly bundles: readonly RayResources[];
  readonly softTarget?: string;
}

export const rayPlacementGroup: VectorCheck = (input) => {
  const { strategy, nodes, bundles, softTarget } = input as unknown as GroupInput;
  return { ...placeGroup(strategy, bundles, nodes, softTarget) };
};

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
