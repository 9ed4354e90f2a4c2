/**
 * Every parameter of Slurm that this program knows by name, and what it does with it: heeds it (`modelled`), heeds it with a
 * difference (`approximated`), cannot heed it (`notModelled`), or may leave it out because it does not bear on scheduling
 * (`ignored`). The form, the notes on a configuration and `docs/policies/slurm.md` come from this list.
 */
import { keyOf } from "./lex.ts";
import type { Parameter, ParameterScope } from "./parameterKinds.ts";
import { ASSOCIATION_PARAMETERS, QOS_PARAMETERS } from "./parametersAccounting.ts";
import { NODE_PARAMETERS, PARTITION_PARAMETERS } from "./parametersCluster.ts";
import { GLOBAL_PARAMETERS } from "./parametersGlobal.ts";
import { OTHER_PARAMETERS } from "./parametersOther.ts";
import { SCHEDULER_PARAMETERS } from "./parametersScheduler.ts";

export const PARAMETERS: readonly Parameter[] = [
  ...GLOBAL_PARAMETERS,
  ...SCHEDULER_PARAMETERS,
  ...PARTITION_PARAMETERS,
  ...NODE_PARAMETERS,
  ...QOS_PARAMETERS,
  ...ASSOCIATION_PARAMETERS,
  ...OTHER_PARAMETERS,
];

const BY_KEY: ReadonlyMap<string, Parameter> = new Map(
  PARAMETERS.flatMap((parameter) =>
    [parameter.name, ...parameter.aliases].map((name): [string, Parameter] => [
      `${parameter.scope} ${keyOf(name)}`,
      parameter,
    ]),
  ),
);

/** The parameter of this name or spelling (in any case); undefined: not known. O(1). */
export function parameterNamed(scope: ParameterScope, name: string): Parameter | undefined {
  return BY_KEY.get(`${scope} ${keyOf(name)}`);
}
