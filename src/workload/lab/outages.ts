/**
 * Stretches of time in which nodes or devices are out: collected from several rules, joined where they overlap, and turned into changes. Outages that begin or end together
 * are one change. O(stretches log stretches).
 */
import type { Change } from "../../model/world.ts";

export interface Stretch {
  readonly fromMs: number;
  /** Excluded. */
  readonly untilMs: number;
}

/** Stretches by unit (a node, or a device). */
export class Outages {
  readonly #byUnit = new Map<number, Stretch[]>();
  count = 0;

  add(unit: number, stretch: Stretch): void {
    const known = this.#byUnit.get(unit);
    if (known) known.push(stretch);
    else this.#byUnit.set(unit, [stretch]);
    this.count++;
  }

  /** When units stop working and when they work again: units ascending at each time. */
  edges(): { readonly downs: Edges; readonly ups: Edges } {
    const downs: Edges = new Map();
    const ups: Edges = new Map();
    for (const unit of [...this.#byUnit.keys()].sort((a, b) => a - b)) {
      for (const { fromMs, untilMs } of joined(this.#byUnit.get(unit)!)) {
        append(downs, fromMs, unit);
        append(ups, untilMs, unit);
      }
    }
    return { downs, ups };
  }
}

type Edges = Map<number, number[]>;

function append(edges: Edges, atMs: number, unit: number): void {
  const units = edges.get(atMs);
  if (units) units.push(unit);
  else edges.set(atMs, [unit]);
}

/** Overlapping and touching stretches as one. */
export function joined(stretches: readonly Stretch[]): Stretch[] {
  const result: Stretch[] = [];
  for (const next of stretches.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = result[result.length - 1];
    if (last === undefined || next.fromMs > last.untilMs) result.push(next);
    else if (next.untilMs > last.untilMs)
      result[result.length - 1] = { fromMs: last.fromMs, untilMs: next.untilMs };
  }
  return result;
}

/**
 * Outages as changes, in order of time. `mayResume` tells whether a node that is repaired comes back: one that an intervention has closed does not.
 * `source`: behind all interventions of the same time.
 */
export function outageChanges(
  nodes: Outages,
  devices: Outages,
  source: number,
  mayResume: (node: number, atMs: number) => boolean,
): Change[] {
  const changes: Change[] = [];
  const ofNodes = nodes.edges();
  const ofDevices = devices.edges();
  for (const [atMs, list] of ofNodes.ups) {
    const back = list.filter((node) => mayResume(node, atMs));
    if (back.length > 0) changes.push({ atMs, source, kind: "resume", nodes: back });
  }
  for (const [atMs, list] of ofDevices.ups)
    changes.push({ atMs, source, kind: "resumeDevices", devices: list });
  for (const [atMs, list] of ofNodes.downs)
    changes.push({ atMs, source, kind: "fail", nodes: list });
  for (const [atMs, list] of ofDevices.downs)
    changes.push({ atMs, source, kind: "failDevices", devices: list });
  return changes.sort((a, b) => a.atMs - b.atMs);
}
