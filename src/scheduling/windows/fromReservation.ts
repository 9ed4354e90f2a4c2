/**
 * Interventions `reserve` and `unreserve` as windows: known from the moment at which they are made. Accounts are teams, a partition is a queue; `MAINT` makes it
 * maintenance, `HOURLY`, `DAILY` and `WEEKLY` let it come again. Other flags of Slurm mean nothing here.
 */
import type { PoolView } from "../../engine/view.ts";
import type { WindowRule } from "../../model/lab/tenancy.ts";
import type { Reservation } from "../../model/slurm/reservation.ts";
import { periodMs } from "../reservations/windows.ts";

/** O(nodes). Names that this pool does not know are left out. */
export function windowOfReservation(view: PoolView, reservation: Reservation): WindowRule {
  const { startMs, endMs, flags, allNodes, users, accounts, partition } = reservation;
  const names = new Set(reservation.nodes);
  const named = [...view.nodes].filter(
    (node) => allNodes || names.has(view.cluster.nodeNames[node]!),
  );
  const picked = !allNodes && names.size === 0;
  const indexes = (list: readonly string[], wanted: readonly string[]) =>
    wanted.map((name) => list.indexOf(name));
  return {
    name: reservation.name,
    kind: flags.includes("MAINT") ? "maintenance" : "reserved",
    pool: view.pool,
    nodes: picked ? null : named,
    nodeCount: picked ? reservation.nodeCount : named.length,
    startMs: Math.max(startMs, 0),
    durationMs: endMs - startMs,
    everyMs: periodMs(flags) || Number.POSITIVE_INFINITY,
    tiers: [],
    teams: indexes(
      view.teams.map((team) => team.id),
      accounts,
    ),
    queues: partition === "" ? [] : indexes(view.queues, [partition]),
    users: indexes(view.jobs.users, users),
    announcedMs: 0,
    kill: false,
  };
}
