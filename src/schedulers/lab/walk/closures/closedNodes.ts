/** Which nodes a job may not use because a window or maintenance is known that its time limit reaches into. Nothing where no such is known. */
import type { PoolView } from "../../../../engine/view.ts";
import { NodeStateCode } from "../../../../model/states.ts";
import { NEVER_MS } from "../../../../model/units.ts";
import type { Profile } from "../../../../scheduling/backfill/profile.ts";
import { addOver, noteEnd } from "../../../../scheduling/backfill/steps.ts";
import type { Sketch } from "../../../../scheduling/placement/capacity.ts";
import type { Closure } from "../parts.ts";
import type { WalkState } from "../state.ts";
import { CLOSURES } from "./closures.ts";

interface Known {
  readonly closure: Closure;
  readonly admits: (jobIdx: number) => boolean;
}

const NONE = new Int32Array(0);

/** What was known when reservations were made last. */
const seen = new WeakMap<WalkState, readonly Closure[]>();
const NOTHING: readonly Closure[] = [];

export class ClosedNodes {
  /** Something else is known than when reservations were made last. */
  changed = false;
  #state!: WalkState;
  #view!: PoolView;
  #known: Known[] = [];
  /** What the parts knew when it was looked at last. */
  #lists: (readonly Closure[])[] = [];
  /** When the first of them begins. */
  #firstMs = NEVER_MS;

  get any(): boolean {
    return this.#known.length > 0;
  }

  begin(view: PoolView, state: WalkState): void {
    const isOther = this.#state !== state || this.#view !== view;
    this.#view = view;
    this.#state = state;
    this.changed = false;
    if (isOther || !this.#isStill(state)) this.#learn(view, state);
    if (state.closures.length === 0) return;
    const before = seen.get(state) ?? NOTHING;
    this.changed =
      before.length !== this.#known.length ||
      this.#known.some(({ closure }, at) => closure !== before[at]);
  }

  /** Whether all is known that was when it was looked at last: parts make another list where something changes. O(parts). */
  #isStill({ closures }: WalkState): boolean {
    if (closures.length !== this.#lists.length) return false;
    for (let at = 0; at < closures.length; at++) {
      const { part, state: own } = closures[at]!;
      if (CLOSURES[part]!.known(own, this.#view) !== this.#lists[at]) return false;
    }
    return true;
  }

  #learn(view: PoolView, state: WalkState): void {
    this.#lists = [];
    this.#known = [];
    this.#firstMs = NEVER_MS;
    for (const { part, state: own } of state.closures) {
      const rules = CLOSURES[part]!;
      const list = rules.known(own, view);
      this.#lists.push(list);
      for (const closure of list) {
        const admits = (jobIdx: number): boolean =>
          !closure.forNobody && rules.admits(own, view, closure, jobIdx);
        this.#known.push({ closure, admits });
        this.#firstMs = Math.min(this.#firstMs, closure.fromMs);
      }
    }
  }

  /** Reservations are made on what is known now. O(closures), where it has changed. */
  remember(): void {
    if (this.changed)
      seen.set(
        this.#state,
        this.#known.map(({ closure }) => closure),
      );
  }

  /** Indexes of the closures that keep nodes from the job if it starts now. O(closures). */
  maskFor(jobIdx: number): Int32Array {
    if (this.#known.length === 0) return NONE;
    const endMs = this.#view.nowMs + this.#view.limitMs(jobIdx);
    if (endMs <= this.#firstMs) return NONE;
    const mask: number[] = [];
    for (let at = 0; at < this.#known.length; at++) {
      const { closure, admits } = this.#known[at]!;
      if (closure.fromMs < endMs && closure.toMs > this.#view.nowMs && !admits(jobIdx))
        mask.push(at);
    }
    return mask.length === 0 ? NONE : Int32Array.from(mask);
  }

  /** When the first closure begins that keeps nodes from the job; `Infinity`: none does. O(closures). */
  firstFor(jobIdx: number): number {
    let firstMs = NEVER_MS;
    for (const { closure, admits } of this.#known)
      if (closure.fromMs < firstMs && !admits(jobIdx)) firstMs = closure.fromMs;
    return firstMs;
  }

  /** Takes the nodes of these closures out of a sketch whose index is not built yet. */
  apply(sketch: Sketch, mask: Int32Array): void {
    for (const at of mask) {
      for (const node of this.#known[at]!.closure.nodes) {
        if (sketch.nodeState[node] !== NodeStateCode.open) continue;
        sketch.nodeState[node] = NodeStateCode.drained;
        sketch.gpusFreeTotal -= sketch.gpusFree[node]!;
        sketch.gpusFree[node] = 0;
      }
    }
  }

  /** Takes closed stretches out of a profile for one job, or with −1 gives them back. The total stays: it is only an upper bound. */
  takeFrom(profile: Profile, jobIdx: number, sign: 1 | -1): void {
    const { cluster, nowMs } = this.#view;
    for (const { closure, admits } of this.#known) {
      if (admits(jobIdx)) continue;
      const fromMs = Math.max(nowMs, closure.fromMs);
      noteEnd(profile.total, closure.toMs, sign);
      if (profile.ofNode.length === 0) {
        // A flat machine is one node.
        addOver(profile.total, fromMs, closure.toMs, -sign * cluster.deviceCount, 0, 0);
        continue;
      }
      for (const node of closure.nodes) {
        const steps = profile.ofNode[node];
        if (steps === undefined) continue;
        const group = cluster.groups[cluster.nodeGroup[node]!]!;
        const gpus = cluster.deviceBase[node + 1]! - cluster.deviceBase[node]!;
        const cpuMilli = -sign * group.cpusPerNode * 1_000;
        const cpuWork = profile.ofCpuWork?.[node];
        if (cpuWork !== undefined) addOver(cpuWork, fromMs, closure.toMs, cpuMilli, 0, 0);
        addOver(steps, fromMs, closure.toMs, -sign * gpus, cpuMilli, -sign * group.memMiBPerNode);
      }
    }
  }
}
