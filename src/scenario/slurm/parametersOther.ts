/**
 * Parameters that are known by name and not heeded: those that bear on scheduling and are not modelled, and those that do not
 * bear on it (daemons, paths, authentication, logs), so that a configuration of a site is not drowned in notes.
 */
import type { Parameter, ParameterScope, Standing } from "./parameterKinds.ts";
import { manualLink } from "./parameterKinds.ts";

function others(
  scope: ParameterScope,
  standing: Standing,
  sentence: string,
  names: string,
): Parameter[] {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => ({
      name,
      aliases: [],
      scope,
      kind: { is: "text" },
      standard: "",
      sentence,
      link: manualLink(scope, name),
      standing,
      fields: [],
    }));
}

/** In the order of the documents. */
export const OTHER_PARAMETERS: readonly Parameter[] = [
  ...others(
    "global",
    "notModelled",
    "It bears on scheduling and is not modelled.",
    `BurstBufferType Licenses`,
  ),
  ...others("global", "ignored", "It does not bear on scheduling.", `ClusterName`),
];
