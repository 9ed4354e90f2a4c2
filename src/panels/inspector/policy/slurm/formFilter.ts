/** Which settings a form shows: those that hold the words looked for, and of these only changed ones where that is asked for. */
import type { Parameter, ParameterKind } from "../../../../scenario/slurm/parameterKinds.ts";
import { parameterValue } from "../../../../scenario/slurm/parameterKinds.ts";
import type { SetValue } from "../../../../scenario/slurm/setValues.ts";

export interface FormFilter {
  /** Lower case; "" = everything. */
  readonly words: string;
  readonly changedOnly: boolean;
}

/** Set to something else than what would hold anyway. */
export function isChanged(
  set: SetValue | undefined,
  standard: string,
  kind: ParameterKind,
): boolean {
  if (set === undefined) return false;
  const usual = kind.is === "flag" ? "no" : standard;
  if (set.value.toLowerCase() === usual.toLowerCase()) return false;
  if (kind.is === "special" || usual === "") return set.value !== "";
  const [one, other] = [parameterValue(kind, set.value), parameterValue(kind, usual)];
  return !(one.ok && other.ok && JSON.stringify(one.value) === JSON.stringify(other.value));
}

/** Whether a parameter is to be seen. */
export function isFound(
  parameter: Parameter,
  set: SetValue | undefined,
  standard: string,
  { words, changedOnly }: FormFilter,
): boolean {
  if (changedOnly && !isChanged(set, standard, parameter.kind)) return false;
  if (words === "") return true;
  const text = [parameter.name, ...parameter.aliases, parameter.sentence].join(" ").toLowerCase();
  return words.split(/\s+/).every((word) => text.includes(word));
}
