/** One pool of a run: its settings, its scheduler with its state, what it sees and may do, and what it has not been told yet. */
import type { PoolSettings } from "../model/policy.ts";
import type { PoolNews } from "./happened.ts";
import { PoolActions } from "./poolActions.ts";
import { PoolDesk } from "./poolDesk.ts";
import type { Run } from "./run.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Scheduler } from "./view.ts";

export type Presets = (preset: string) => Scheduler<unknown>;

export interface Pool {
  settings: PoolSettings;
  scheduler: Scheduler<unknown>;
  state: unknown;
  wakeMs: number;
  wakeVersion: number;
  readonly news: PoolNews;
  readonly desk: PoolDesk;
  readonly actions: PoolActions;
}

/** At time 0, or as a snapshot has it. The rest of the run's state is there already. */
export function makePool(
  run: Run,
  presets: Presets,
  pool: number,
  news: PoolNews,
  snapshot: Snapshot | null,
): Pool {
  const { world, clock } = run;
  const copy = snapshot?.pools[pool];
  const settings = copy?.settings ?? world.pools[pool]!.settings;
  const scheduler = presets(settings.preset);
  const desk = new PoolDesk(
    world,
    pool,
    run.live,
    run.allocations,
    run.nodes,
    clock,
    run.lifecycle.application,
    run.lifecycle.rows.past,
  );
  const actions = new PoolActions(
    world,
    pool,
    run.lifecycle,
    run.allocations,
    run.nodes,
    run.repartitions,
    run.recorder,
    clock,
    news,
  );
  if (copy) news.next.restore(copy.news);
  return {
    settings,
    scheduler,
    state: copy ? scheduler.snapshot(copy.state) : scheduler.init(desk, settings),
    wakeMs: copy?.wakeMs ?? Number.POSITIVE_INFINITY,
    wakeVersion: copy?.wakeVersion ?? 0,
    news,
    desk,
    actions,
  };
}
