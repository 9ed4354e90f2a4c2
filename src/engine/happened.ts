/**
 * What a pool's scheduler has not been told yet. Two sets of lists take turns: one is read by the pass that runs, the other
 * takes in what the pass itself causes (a job evicted without grace is queued again), which the next pass hears of.
 */
import { IntList } from "../base/intList.ts";
import type { Command } from "../model/world.ts";
import type { Happened } from "./view.ts";

class HappenedLists implements Happened {
  readonly queued = new IntList();
  readonly withdrawn = new IntList();
  readonly released = new IntList();
  readonly retiered = new IntList();
  readonly depended = new IntList();
  commands: Command[] = [];
  nodesChanged = false;
  timer = false;

  clear(): void {
    this.queued.clear();
    this.withdrawn.clear();
    this.released.clear();
    this.retiered.clear();
    this.depended.clear();
    this.commands = [];
    this.nodesChanged = false;
    this.timer = false;
  }

  copy(): HappenedCopy {
    return {
      queued: this.queued.copy(),
      withdrawn: this.withdrawn.copy(),
      released: this.released.copy(),
      retiered: this.retiered.copy(),
      depended: this.depended.copy(),
      commands: [...this.commands],
      nodesChanged: this.nodesChanged,
    };
  }

  restore(copy: HappenedCopy): void {
    this.queued.restore(copy.queued);
    this.withdrawn.restore(copy.withdrawn);
    this.released.restore(copy.released);
    this.retiered.restore(copy.retiered);
    this.depended.restore(copy.depended);
    this.commands = [...copy.commands];
    this.nodesChanged = copy.nodesChanged;
    this.timer = false;
  }
}

export interface HappenedCopy {
  readonly queued: Int32Array;
  readonly withdrawn: Int32Array;
  readonly released: Int32Array;
  readonly retiered: Int32Array;
  readonly depended: Int32Array;
  readonly commands: readonly Command[];
  readonly nodesChanged: boolean;
}

/** The news of one pool, and whether they call for a pass at this instant. */
export class PoolNews {
  /** Being gathered. */
  next = new HappenedLists();
  /** Being read by the pass. */
  current = new HappenedLists();
  due = false;
  /** The job that the scheduler's own pass is dealing with: news of it wait for the next pass and call for none; −1 = none. */
  ownJobIdx = -1;

  queued(jobIdx: number): void {
    this.next.queued.push(jobIdx);
    if (jobIdx !== this.ownJobIdx) this.due = true;
  }

  released(jobIdx: number): void {
    this.next.released.push(jobIdx);
    if (jobIdx !== this.ownJobIdx) this.due = true;
  }

  retiered(jobIdx: number): void {
    this.next.retiered.push(jobIdx);
    this.due = true;
  }

  depended(jobIdx: number): void {
    this.next.depended.push(jobIdx);
    this.due = true;
  }

  command(command: Command): void {
    this.next.commands.push(command);
    this.due = true;
  }

  /** Whether the scheduler has heard of the job is not known here: it is told in any case. */
  withdrawn(jobIdx: number): void {
    this.next.queued.remove(jobIdx);
    this.next.withdrawn.push(jobIdx);
    this.due = true;
  }

  /** The scheduler has dealt itself with a job that its own pass queued again: no news for the next pass. */
  dealtWith(jobIdx: number): void {
    if (this.next.queued.length > 0) this.next.queued.remove(jobIdx);
  }

  nodesChanged(): void {
    this.next.nodesChanged = true;
    this.due = true;
  }

  /** The news for a pass that starts now. */
  turn(): HappenedLists {
    const news = this.next;
    this.next = this.current;
    this.next.clear();
    this.current = news;
    this.due = false;
    return news;
  }
}
