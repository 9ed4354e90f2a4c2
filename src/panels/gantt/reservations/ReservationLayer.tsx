/**
 * Asks what became of each reservation and window in the document, once for each run, as soon as the run has come past it, and draws them. A reservation that the
 * scheduler refused has none.
 */

import { useEffect } from "react";
import { Dirty } from "../../../render/frameLoop.ts";
import { acting } from "../../../scenario/interventions.ts";
import type { Intervention, Scenario } from "../../../scenario/schema.ts";
import { poolTables, poolWindows } from "../../../store/explain.ts";
import { type ReservedWindow, showReservations } from "../../../store/reservations.ts";
import { useApp } from "../../../store/store.ts";
import { beginWork } from "../../../store/underway.ts";
import { useRunData } from "../../../store/useRun.ts";
import type { GanttPainter } from "../ganttPainter.ts";
import { reservationExtra } from "./reservationPainter.ts";
import { labWindowsOf, windowsOf } from "./windowsOf.ts";

/** So many are asked about: each costs a replay from the nearest snapshot. */
const ASKED_MOST = 50;

type Reserve = Extract<Intervention, { kind: "reserve" }>;

export function ReservationLayer({ painter }: { readonly painter: () => GanttPainter | null }) {
  const { current } = useRunData();
  const scenario = useApp((state) => state.scenario);
  const { generation, done, knownMs, endMs } = current;
  const made = acting(scenario?.interventions ?? []).filter(
    (change): change is Reserve => change.kind === "reserve",
  );
  const ready = done ? made.length : made.filter((change) => change.atMs < knownMs).length;
  useEffect(() => {
    const target = painter();
    if (!target) return;
    target.overlay.extras.add(reservationExtra);
    return () => {
      target.overlay.extras.delete(reservationExtra);
      showReservations([]);
      target.mark(Dirty.overlay);
    };
  }, [painter]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a run that goes on changes its end often, its reservations never.
  useEffect(() => {
    if (!scenario || (ready === 0 && scenario.windows.length === 0)) return;
    let stopped = false;
    const tell = beginWork();
    void ask(scenario, done ? Number.POSITIVE_INFINITY : knownMs, endMs)
      .then((windows) => {
        if (stopped) return;
        showReservations(windows);
        painter()?.mark(Dirty.overlay);
      })
      // A worker that died is started again, and this is asked anew with its run.
      .catch(() => undefined)
      .finally(tell);
    return () => {
      stopped = true;
    };
  }, [generation, ready, done, scenario]);
  return null;
}

async function ask(scenario: Scenario, upToMs: number, endMs: number): Promise<ReservedWindow[]> {
  const windows = await askLab(scenario, upToMs, endMs);
  const made = acting(scenario.interventions).filter(
    (change): change is Reserve => change.kind === "reserve" && change.atMs < upToMs,
  );
  for (const change of made.slice(0, ASKED_MOST)) {
    const pool = scenario.pools.findIndex(
      (one) => change.pool === undefined || one.id === change.pool,
    );
    const tables = pool < 0 ? null : await poolTables(pool, change.atMs);
    // Pools of the lab have told theirs.
    const row = tables?.reservations.find((one) => one.name === change.name);
    if (row) windows.push(...windowsOf(row, change.atMs, acting(scenario.interventions), endMs));
  }
  return windows;
}

/** What the pools of the lab keep: at the end of what is known, and just before something was taken back. */
async function askLab(
  scenario: Scenario,
  upToMs: number,
  endMs: number,
): Promise<ReservedWindow[]> {
  const windows = new Map<string, ReservedWindow>();
  const taken = acting(scenario.interventions).filter(
    (change) => change.kind === "unreserve" && change.atMs < upToMs,
  );
  for (let pool = 0; pool < scenario.pools.length; pool++) {
    for (const change of [...taken.slice(0, ASKED_MOST), null]) {
      const atMs = change ? change.atMs - 1 : Math.min(upToMs, endMs);
      for (const kept of await poolWindows(pool, atMs))
        for (const one of labWindowsOf(kept, change ? change.atMs : endMs))
          windows.set(`${pool} ${one.name} ${one.startMs}`, one);
    }
  }
  return [...windows.values()];
}
