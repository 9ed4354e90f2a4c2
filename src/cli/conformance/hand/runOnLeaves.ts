/** More gangs than fit, all submitted at 0, on nodes with one GPU below leaf switches of given sizes. */
import { MINUTE_MS } from "../fieldCaseScenario.ts";
import { jobOf, labOf, runDocument, startsOf } from "./runDocument.ts";

export interface OnLeaves {
  /** Minutes, in order of the queue. */
  readonly starts: readonly number[];
  /** Gangs that start at 0. */
  readonly atOnce: number;
  /** Leaves of each of these. */
  readonly leaves: readonly number[];
}

export function runOnLeaves(
  sizes: readonly number[],
  gangSize: number,
  runtimeMin: number,
  settings: Readonly<Record<string, string>>,
): OnLeaves {
  const leafOf = sizes.flatMap((size, leaf) => Array.from({ length: size }, () => leaf));
  const names = leafOf.map((_, node) => `n${node}`);
  const switches = sizes.map((_, leaf) => ({
    name: `leaf${leaf}`,
    nodes: names.filter((_, node) => leafOf[node] === leaf).join(","),
  }));
  const root = { name: "root", switches: switches.map(({ name }) => name) };
  const count = Math.floor(names.length / gangSize) + 2;
  const ids = Array.from({ length: count }, (_, gang) => `gang${gang}`);
  const gangs = ids.map((id) =>
    jobOf({ id, members: gangSize, gpus: 1, workMin: runtimeMin, ownNode: true }),
  );
  const run = runDocument({
    cluster: {
      nodeGroups: [{ id: "nodes", count: names.length, names: names.join(","), gpus: 1 }],
      switches: [...switches, root],
    },
    pools: labOf(settings),
    workload: { jobs: gangs.map((gang) => ({ ...gang, limitMs: runtimeMin * MINUTE_MS })) },
  });
  const starts = ids.map((id) => startsOf(run, id)[0] ?? Number.POSITIVE_INFINITY);
  const first = ids.filter((_, gang) => starts[gang] === 0);
  const leaves = first.map(
    (id) => new Set([...(run.nodesOf.get(id) ?? [])].map((node) => leafOf[node])).size,
  );
  return { starts, atOnce: first.length, leaves };
}
