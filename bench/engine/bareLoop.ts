/**
 * The yardstick: an event loop that only pops the arrivals and the ends of a finished schedule from a binary heap of typed arrays and
 * counts. No queue, no placement, no record. What the engine takes beyond it is the price of scheduling.
 */
export interface Schedule {
  readonly submitMs: Float64Array;
  readonly endMs: Float64Array;
  readonly devices: Int32Array;
}

/** Runs the loop; returns a sum, so that no step of it can be left out. */
export function bareLoop({ submitMs, endMs, devices }: Schedule): number {
  const heap = new EndHeap(1_024);
  let inSystem = 0;
  let devicesAsked = 0;
  let sum = 0;
  let next = 0;
  while (next < submitMs.length || heap.length > 0) {
    const arrivalMs = next < submitMs.length ? submitMs[next]! : Number.POSITIVE_INFINITY;
    if (heap.length > 0 && heap.leastMs() <= arrivalMs) {
      const job = heap.pop();
      inSystem--;
      devicesAsked -= devices[job]!;
    } else {
      heap.push(endMs[next]!, next);
      inSystem++;
      devicesAsked += devices[next]!;
      next++;
    }
    sum += inSystem + devicesAsked;
  }
  return sum;
}

class EndHeap {
  length = 0;
  #times: Float64Array;
  #jobs: Int32Array;

  constructor(capacity: number) {
    this.#times = new Float64Array(capacity);
    this.#jobs = new Int32Array(capacity);
  }

  leastMs(): number {
    return this.#times[0]!;
  }

  push(timeMs: number, job: number): void {
    if (this.length === this.#times.length) this.#grow();
    const times = this.#times;
    const jobs = this.#jobs;
    let at = this.length++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (times[parent]! <= timeMs) break;
      times[at] = times[parent]!;
      jobs[at] = jobs[parent]!;
      at = parent;
    }
    times[at] = timeMs;
    jobs[at] = job;
  }

  pop(): number {
    const times = this.#times;
    const jobs = this.#jobs;
    const top = jobs[0]!;
    const last = --this.length;
    const timeMs = times[last]!;
    const job = jobs[last]!;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= last) break;
      if (child + 1 < last && times[child + 1]! < times[child]!) child++;
      if (times[child]! >= timeMs) break;
      times[at] = times[child]!;
      jobs[at] = jobs[child]!;
      at = child;
    }
    times[at] = timeMs;
    jobs[at] = job;
    return top;
  }

  #grow(): void {
    const times = new Float64Array(this.#times.length * 2);
    times.set(this.#times);
    const jobs = new Int32Array(this.#jobs.length * 2);
    jobs.set(this.#jobs);
    this.#times = times;
    this.#jobs = jobs;
  }
}
