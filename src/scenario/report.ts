/** How the checks of a document say what they found. */
export type Report = (place: string, message: string, remedy: string) => void;

/** Reports a name that is not in the list. */
export function reportUnknown(
  kind: string,
  name: string | undefined,
  known: readonly string[],
  place: string,
  report: Report,
): void {
  if (name === undefined || known.includes(name)) return;
  const choice =
    known.length === 0
      ? `The scenario declares no ${kind}.`
      : `Use one of: ${known.slice(0, 20).join(", ")}.`;
  report(place, `There is no ${kind} "${name}".`, choice);
}

/** Reports each entry of a list that is not in the list of those that exist. */
export function reportEach(
  kind: string,
  names: readonly string[] | undefined,
  known: readonly string[],
  place: string,
  report: Report,
): void {
  for (const [index, name] of (names ?? []).entries()) {
    reportUnknown(kind, name, known, `${place}/${index}`, report);
  }
}

/** Reports configuration files in a policy of a preset that does not read them. `yamlPresets`: those that read YAML. */
export function reportForeignFiles(
  policy: {
    readonly preset: string;
    readonly slurm?: object | undefined;
    readonly yaml?: string | undefined;
  },
  yamlPresets: ReadonlySet<string>,
  place: string,
  report: Report,
): void {
  if (policy.slurm !== undefined && policy.preset !== "slurm")
    report(
      `${place}/slurm`,
      `The preset "${policy.preset}" has no configuration files.`,
      "Choose the preset slurm, or leave them out.",
    );
  if (policy.yaml !== undefined && !yamlPresets.has(policy.preset))
    report(
      `${place}/yaml`,
      `The preset "${policy.preset}" reads no YAML.`,
      `Choose one of: ${[...yamlPresets].join(", ")}; or leave it out.`,
    );
}
