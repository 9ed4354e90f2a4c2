/** The tier of a job that names none: one rule for the workload, for forms and for pictures. */

/** The middle one: Normal, of the four that a scenario has by default. An index into the list of tiers. */
export function standardTier(tierCount: number): number {
  return tierCount >> 1;
}
