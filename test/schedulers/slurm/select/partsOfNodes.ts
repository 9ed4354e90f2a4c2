/** The defaults, with a SelectType that hands out parts of nodes: an empty configuration hands out whole ones. */
import type { SlurmConfig } from "../../../../src/model/slurm/config.ts";
import { defaultConfig as silent } from "../../../../src/model/slurm/defaults.ts";

export function defaultConfig(): SlurmConfig {
  const config = silent();
  return { ...config, select: { ...config.select, type: "cons_tres" } };
}
