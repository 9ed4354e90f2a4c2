/**
 * The written rules of the field cases a third time, as slowly and plainly as they read: a clock that counts minutes, arrays of
 * plain objects, room measured by asking every block of time, victims found by trying every set. Nothing of the product is used and
 * nothing was taken over from the other slow implementation beside it; where both and the lab agree, the rule is what they say.
 */

/** A job of a case. */
export interface RuleJob {
  readonly id: string;
  readonly submit?: number;
  readonly tasks?: number;
  readonly gpus?: number;
  readonly cpus?: number;
  readonly mem?: number;
  readonly distinct?: boolean;
  readonly runtime: number;
  readonly limit?: number;
  readonly prio?: number;
  readonly user?: string;
  readonly tags?: readonly string[];
  readonly after?: string;
  readonly preemptible?: boolean;
}

/** A node of a case. */
export interface RuleNode {
  readonly id: string;
  readonly gpus: number;
  readonly cpus?: number;
  readonly mem?: number;
  readonly tags?: readonly string[];
  readonly down?: readonly (readonly [number, number])[];
}

/** Planned maintenance. */
export interface RuleWindow {
  readonly nodes: "all" | readonly string[];
  readonly start: number;
  readonly end: number;
  readonly announced?: number;
  readonly kill?: boolean;
}

/** The machine of a case: nodes, or one undivided pool. */
export interface RuleCluster {
  readonly nodes?: readonly RuleNode[];
  readonly pool?: number;
  readonly maint?: readonly RuleWindow[];
}

/** The policy of a run. */
export interface RulePolicy {
  readonly mode: "strict" | "skip" | "backfill";
  readonly depth?: number;
  readonly window?: number;
  readonly order?: "prio" | "fair";
  readonly half_life?: number;
  readonly max_test?: number;
  readonly user_max?: number;
  readonly cpu_reserve_per_gpu?: number;
  readonly place?: "first" | "pack" | "packpod" | "spread";
  readonly preempt?: "priority";
  readonly newer_equal?: boolean;
  readonly victims?: "minjobs" | "youngest";
  readonly ckpt?: number;
  readonly requeue?: boolean;
}

/** What came out, in the words of the cases. */
export interface RuleOutcome {
  readonly starts: Readonly<Record<string, readonly number[]>>;
  readonly ends: Readonly<Record<string, number>>;
  readonly makespan: number;
  readonly gpu_allocation: number;
  readonly evictions: number;
  readonly lost_gpu_minutes: number;
  readonly mean_wait: number;
}

interface Spec {
  readonly idx: number;
  readonly id: string;
  readonly submit: number;
  readonly tasks: number;
  readonly gpus: number;
  readonly cpus: number;
  readonly mem: number;
  readonly distinct: boolean;
  readonly runtime: number;
  readonly limit: number;
  readonly prio: number;
  readonly user: string;
  readonly tags: readonly string[];
  readonly after: string | undefined;
  readonly preemptible: boolean;
}

interface Job extends Spec {
  state: "away" | "queued" | "running" | "ended";
  starts: number[];
  end: number | undefined;
  /** Minutes of work that are safe. */
  saved: number;
  /** Node of each task while it runs. */
  on: number[];
}

interface Node {
  readonly idx: number;
  readonly id: string;
  readonly gpus: number;
  readonly cpus: number;
  readonly mem: number;
  readonly tags: readonly string[];
  readonly down: readonly (readonly [number, number])[];
}

/** A task that holds a part of a node from a minute to a minute, the last one excluded. */
interface Block {
  readonly nodeIdx: number;
  readonly job: Job;
  readonly from: number;
  readonly to: number;
}

interface Room {
  gpus: number;
  cpus: number;
  mem: number;
  cpusForCpuTasks: number;
}

const NOT_MODELLED = 1_000_000;

/** How many minutes a run may take. */
const LAST_MINUTE = 200_000;

const amount = (given: number | undefined): number =>
  given === undefined || given >= NOT_MODELLED ? Number.POSITIVE_INFINITY : given;

const readNodes = (cluster: RuleCluster): Node[] => {
  const nodes: readonly RuleNode[] = cluster.nodes ?? [{ id: "pool", gpus: cluster.pool ?? 0 }];
  return nodes.map((node, idx) => ({
    idx,
    id: node.id,
    gpus: node.gpus,
    cpus: amount(node.cpus),
    mem: amount(node.mem),
    tags: node.tags ?? [],
    down: node.down ?? [],
  }));
};

const readJobs = (jobs: readonly RuleJob[]): Job[] =>
  jobs.map((job, idx) => ({
    idx,
    id: job.id,
    submit: job.submit ?? 0,
    tasks: job.tasks ?? 1,
    gpus: job.gpus ?? 0,
    cpus: job.cpus ?? 0,
    mem: job.mem ?? 0,
    distinct: job.distinct ?? false,
    runtime: job.runtime,
    limit: Math.max(job.limit ?? job.runtime, job.runtime),
    prio: job.prio ?? 0,
    user: job.user ?? "",
    tags: job.tags ?? [],
    after: job.after,
    preemptible: job.preemptible ?? true,
    state: "away",
    starts: [],
    end: undefined,
    saved: 0,
    on: [],
  }));

/** One run of a case under one policy, minute by minute. */
export class FieldRules {
  private readonly nodes: Node[];
  private readonly windows: readonly RuleWindow[];
  private readonly jobs: Job[];
  private readonly policy: RulePolicy;
  private now = 0;
  private held = 0;
  private evictions = 0;
  private lost = 0;
  /** Stretches of GPU time: of whom, how many GPUs, from when to when. */
  private readonly stretches: { user: string; gpus: number; from: number; to: number }[] = [];
  private reservations: Block[] = [];

  constructor(cluster: RuleCluster, jobs: readonly RuleJob[], policy: RulePolicy) {
    this.nodes = readNodes(cluster);
    this.windows = cluster.maint ?? [];
    this.jobs = readJobs(jobs);
    this.policy = policy;
  }

  /** The whole run. */
  run(): RuleOutcome {
    for (this.now = 0; this.now <= LAST_MINUTE; this.now += 1) {
      const happened = [this.endJobs(), this.changesOfNodes(), this.arrivals()];
      if (happened.includes(true)) this.pass();
      if (!this.somethingIsToCome()) break;
    }
    return this.outcome();
  }

  /** Whether anything can still happen: an end, an arrival that waits for no other, or a change of a node. */
  private somethingIsToCome(): boolean {
    if (this.jobs.every((job) => job.state === "ended")) return false;
    const later = (at: number | undefined): boolean => at !== undefined && at > this.now;
    return (
      this.jobs.some(
        (job) => job.state === "running" || (job.state === "away" && later(job.submit)),
      ) ||
      this.nodes.some((node) => node.down.some(([from, to]) => later(from) || later(to))) ||
      this.windows.some(
        (window) => later(window.start) || later(window.end) || later(window.announced),
      )
    );
  }

  private endJobs(): boolean {
    let happened = false;
    for (const job of this.jobs) {
      if (job.state !== "running") continue;
      if (this.lastStart(job) + job.runtime - job.saved !== this.now) continue;
      this.letGo(job);
      job.state = "ended";
      job.end = this.now;
      happened = true;
    }
    return happened;
  }

  private changesOfNodes(): boolean {
    let happened = false;
    for (const node of this.nodes)
      for (const [from, to] of node.down) if (from === this.now || to === this.now) happened = true;
    for (const window of this.windows) {
      if (window.start === this.now || window.end === this.now || window.announced === this.now)
        happened = true;
      if (window.start !== this.now || window.kill !== true) continue;
      for (const job of this.jobs)
        if (job.state === "running" && job.on.some((nodeIdx) => this.covers(window, nodeIdx)))
          this.evict(job);
    }
    return happened;
  }

  private arrivals(): boolean {
    let happened = false;
    for (const job of this.jobs) {
      if (job.state !== "away" || job.submit > this.now) continue;
      if (
        job.after !== undefined &&
        this.jobs.find((other) => other.id === job.after)?.state !== "ended"
      )
        continue;
      job.state = "queued";
      happened = true;
    }
    return happened;
  }

  private pass(): void {
    this.reservations = [];
    let tested = 0;
    let reserved = 0;
    for (const job of this.queue()) {
      if (tested >= (this.policy.max_test ?? Number.POSITIVE_INFINITY)) return;
      tested += 1;
      if (this.heldByUserMax(job)) {
        if (this.policy.mode === "strict") return;
        continue;
      }
      const place = this.placeAt(job, this.now, this.runningBlocks());
      if (place !== undefined) {
        this.start(job, place);
        continue;
      }
      const victims = this.victimsFor(job);
      if (victims !== undefined) {
        for (const victim of victims) this.evict(victim);
        const freed = this.placeAt(job, this.now, this.runningBlocks());
        if (freed === undefined) throw new Error("evicted for nothing");
        this.start(job, freed);
        continue;
      }
      if (this.policy.mode === "strict") return;
      if (
        this.policy.mode === "backfill" &&
        reserved < (this.policy.depth ?? 1) &&
        this.reserve(job)
      )
        reserved += 1;
    }
  }

  /** The queue in order. */
  private queue(): Job[] {
    const used = new Map<string, number>();
    for (const job of this.jobs)
      used.set(job.user, this.policy.order === "fair" ? this.usage(job.user) : 0);
    const waiting = this.jobs.filter((job) => job.state === "queued");
    return waiting.sort((a, b) => {
      if (a.prio !== b.prio) return b.prio - a.prio;
      const difference = (used.get(a.user) ?? 0) - (used.get(b.user) ?? 0);
      if (difference !== 0) return difference;
      if (a.submit !== b.submit) return a.submit - b.submit;
      return a.idx - b.idx;
    });
  }

  /** GPU time of a user up to now in milliseconds, older time counting less. */
  private usage(user: string): number {
    const all = [...this.stretches];
    for (const job of this.jobs)
      if (job.state === "running")
        all.push({
          user: job.user,
          gpus: job.gpus * job.tasks,
          from: this.lastStart(job),
          to: this.now,
        });
    let sum = 0;
    for (const stretch of all) {
      if (stretch.user !== user) continue;
      const halfLife = this.policy.half_life;
      if (halfLife === undefined || halfLife <= 0)
        sum += stretch.gpus * (stretch.to - stretch.from);
      else {
        const rate = Math.LN2 / halfLife;
        const length = stretch.to - stretch.from;
        sum +=
          (stretch.gpus / rate) *
          Math.exp(-rate * (this.now - stretch.to)) *
          -Math.expm1(-rate * length);
      }
    }
    return inDigits(sum * 60_000);
  }

  private heldByUserMax(job: Job): boolean {
    if (this.policy.user_max === undefined) return false;
    let running = 0;
    for (const other of this.jobs)
      if (other.state === "running" && other.user === job.user) running += other.tasks;
    return running + job.tasks > this.policy.user_max;
  }

  private runningBlocks(except: readonly Job[] = []): Block[] {
    const blocks: Block[] = [];
    for (const job of this.jobs) {
      if (job.state !== "running" || except.includes(job)) continue;
      for (const nodeIdx of job.on)
        blocks.push({
          nodeIdx,
          job,
          from: this.lastStart(job),
          to: this.lastStart(job) + job.limit,
        });
    }
    return blocks;
  }

  /** The nodes of the tasks of a job that starts at a minute, beside what runs and what is reserved. */
  private placeAt(job: Job, at: number, running: readonly Block[]): number[] | undefined {
    const blocks = [...running, ...this.reservations];
    const rooms = this.nodes.map((node) => this.room(node, job, at, blocks));
    return this.choose(job, rooms);
  }

  /** What of a node is free for the whole limit of a job that starts at a minute. */
  private room(node: Node, job: Job, at: number, blocks: readonly Block[]): Room | undefined {
    const until = at + job.limit;
    if (!job.tags.every((tag) => node.tags.includes(tag))) return undefined;
    if (node.down.some(([from, to]) => from <= this.now && this.now < to)) return undefined;
    for (const window of this.windows) {
      if (!this.covers(window, node.idx)) continue;
      const known = this.now >= Math.min(window.announced ?? window.start, window.start);
      if (known && window.start < until && window.end > at) return undefined;
    }
    const here = blocks.filter((block) => block.nodeIdx === node.idx);
    const moments = [at, ...here.map((block) => block.from)].filter(
      (moment) => moment >= at && moment < until,
    );
    const closed = (this.policy.cpu_reserve_per_gpu ?? 0) * node.gpus;
    const least: Room = {
      gpus: node.gpus,
      cpus: node.cpus,
      mem: node.mem,
      cpusForCpuTasks: node.cpus - closed,
    };
    for (const moment of moments) {
      const then: Room = {
        gpus: node.gpus,
        cpus: node.cpus,
        mem: node.mem,
        cpusForCpuTasks: node.cpus - closed,
      };
      for (const block of here) {
        if (block.from > moment || block.to <= moment) continue;
        then.gpus -= block.job.gpus;
        then.cpus -= block.job.cpus;
        then.mem -= block.job.mem;
        if (block.job.gpus === 0) then.cpusForCpuTasks -= block.job.cpus;
      }
      least.gpus = Math.min(least.gpus, then.gpus);
      least.cpus = Math.min(least.cpus, then.cpus);
      least.mem = Math.min(least.mem, then.mem);
      least.cpusForCpuTasks = Math.min(least.cpusForCpuTasks, then.cpusForCpuTasks);
    }
    return least;
  }

  private choose(job: Job, rooms: readonly (Room | undefined)[]): number[] | undefined {
    const left = rooms.map((room) => (room === undefined ? undefined : { ...room }));
    if (this.policy.place === "pack") return this.choosePacked(job, left);
    const chosen: number[] = [];
    for (let task = 0; task < job.tasks; task += 1) {
      let best = -1;
      for (const node of this.nodes) {
        const room = left[node.idx];
        if (room === undefined || !takes(room, job) || (job.distinct && chosen.includes(node.idx)))
          continue;
        const bestGpus = left[best]?.gpus ?? 0;
        if (best < 0) best = node.idx;
        else if (this.policy.place === "packpod" && room.gpus < bestGpus) best = node.idx;
        else if (this.policy.place === "spread" && room.gpus > bestGpus) best = node.idx;
      }
      if (best < 0) return undefined;
      take(left[best], job);
      chosen.push(best);
    }
    return chosen;
  }

  private choosePacked(job: Job, left: readonly (Room | undefined)[]): number[] | undefined {
    const capacity = left.map((room) => {
      const copy = room === undefined ? undefined : { ...room };
      let count = 0;
      while (copy !== undefined && count < (job.distinct ? 1 : job.tasks) && takes(copy, job)) {
        take(copy, job);
        count += 1;
      }
      return count;
    });
    let whole = -1;
    for (const node of this.nodes) {
      if ((capacity[node.idx] ?? 0) < job.tasks) continue;
      if (whole < 0 || (left[node.idx]?.gpus ?? 0) < (left[whole]?.gpus ?? 0)) whole = node.idx;
    }
    if (whole >= 0) return Array.from({ length: job.tasks }, () => whole);
    const order = this.nodes
      .map((node) => node.idx)
      .sort((a, b) => (capacity[b] ?? 0) - (capacity[a] ?? 0) || a - b);
    const chosen: number[] = [];
    for (const nodeIdx of order)
      for (let n = 0; n < (capacity[nodeIdx] ?? 0) && chosen.length < job.tasks; n += 1)
        chosen.push(nodeIdx);
    return chosen.length === job.tasks ? chosen : undefined;
  }

  /** A reservation at the earliest minute at which the job fits, if there is one within the window. */
  private reserve(job: Job): boolean {
    const running = this.runningBlocks();
    const moments = new Set<number>([this.now]);
    for (const block of [...running, ...this.reservations]) moments.add(block.to);
    for (const window of this.windows) moments.add(window.end);
    for (const at of [...moments].filter((moment) => moment >= this.now).sort((a, b) => a - b)) {
      if (at > this.now + (this.policy.window ?? Number.POSITIVE_INFINITY)) return false;
      const place = this.placeAt(job, at, running);
      if (place === undefined) continue;
      for (const nodeIdx of place)
        this.reservations.push({ nodeIdx, job, from: at, to: at + job.limit });
      return true;
    }
    return false;
  }

  private victimsFor(job: Job): Job[] | undefined {
    if (this.policy.preempt === undefined) return undefined;
    const possible = this.jobs.filter(
      (other) =>
        other.state === "running" &&
        other.preemptible &&
        (other.prio < job.prio ||
          (this.policy.newer_equal === true &&
            other.prio === job.prio &&
            other.submit > job.submit)),
    );
    const enough = (victims: readonly Job[]): boolean =>
      this.placeAt(job, this.now, this.runningBlocks(victims)) !== undefined;
    if (!enough(possible)) return undefined;
    return this.policy.victims === "youngest"
      ? this.youngest(possible, enough)
      : this.fewest(possible, enough);
  }

  private youngest(possible: readonly Job[], enough: (victims: readonly Job[]) => boolean): Job[] {
    const order = [...possible].sort(
      (a, b) => a.prio - b.prio || this.lastStart(b) - this.lastStart(a) || a.idx - b.idx,
    );
    let taken: Job[] = [];
    for (const victim of order) {
      taken.push(victim);
      if (enough(taken)) break;
    }
    for (const victim of [...taken].reverse()) {
      const without = taken.filter((other) => other !== victim);
      if (enough(without)) taken = without;
    }
    return taken;
  }

  private fewest(possible: readonly Job[], enough: (victims: readonly Job[]) => boolean): Job[] {
    for (let size = 1; size <= possible.length; size += 1) {
      const sets = subsets(possible, size).filter((set) => enough(set));
      if (sets.length === 0) continue;
      sets.sort((a, b) => this.compareSets(a, b));
      return sets[0] ?? [];
    }
    throw new Error("nobody is enough, and yet they were");
  }

  private compareSets(a: readonly Job[], b: readonly Job[]): number {
    const total = (set: readonly Job[], of: (job: Job) => number): number =>
      set.reduce((sum, job) => sum + of(job), 0);
    const prios = (set: readonly Job[]): number[] =>
      set.map((job) => job.prio).sort((x, y) => y - x);
    return (
      compareLists(prios(a), prios(b)) ||
      total(a, (job) => this.lossOf(job)) - total(b, (job) => this.lossOf(job)) ||
      compareLists(
        a.map((job) => job.idx),
        b.map((job) => job.idx),
      )
    );
  }

  private lossOf(job: Job): number {
    const work = job.saved + this.now - this.lastStart(job);
    return job.gpus * job.tasks * (work - this.safe(job, work));
  }

  private safe(job: Job, work: number): number {
    const every = this.policy.ckpt ?? 0;
    return every > 0 ? Math.max(job.saved, Math.floor(work / every) * every) : 0;
  }

  private evict(job: Job): void {
    this.evictions += 1;
    this.lost += this.lossOf(job);
    job.saved = this.safe(job, job.saved + this.now - this.lastStart(job));
    this.letGo(job);
    job.state = "queued";
  }

  private start(job: Job, place: number[]): void {
    job.state = "running";
    job.starts.push(this.now);
    job.on = place;
  }

  private letGo(job: Job): void {
    const from = this.lastStart(job);
    this.stretches.push({ user: job.user, gpus: job.gpus * job.tasks, from, to: this.now });
    this.held += job.gpus * job.tasks * (this.now - from);
    job.on = [];
  }

  private lastStart(job: Job): number {
    return job.starts[job.starts.length - 1] ?? 0;
  }

  private covers(window: RuleWindow, nodeIdx: number): boolean {
    return window.nodes === "all" || window.nodes.includes(this.nodes[nodeIdx]?.id ?? "");
  }

  private outcome(): RuleOutcome {
    const makespan = Math.max(0, ...this.jobs.map((job) => job.end ?? 0));
    const capacity = this.nodes.reduce((sum, node) => sum + node.gpus, 0) * makespan;
    const started = this.jobs.filter((job) => job.starts.length > 0);
    const waits = started.map((job) => (job.starts[0] ?? 0) - job.submit);
    return {
      starts: Object.fromEntries(started.map((job) => [job.id, job.starts])),
      ends: Object.fromEntries(
        this.jobs.filter((job) => job.end !== undefined).map((job) => [job.id, job.end ?? 0]),
      ),
      makespan,
      gpu_allocation: capacity === 0 ? 0 : this.held / capacity,
      evictions: this.evictions,
      lost_gpu_minutes: this.lost,
      mean_wait: waits.length === 0 ? 0 : waits.reduce((sum, wait) => sum + wait, 0) / waits.length,
    };
  }
}

/** Whole milliseconds, or 24 binary digits where that is finer: what was added up in another order is the same. */
const inDigits = (ms: number): number => (ms < 2 ** 24 ? Math.fround(ms) : Math.round(ms));

const takes = (room: Room, job: Job): boolean =>
  room.gpus >= job.gpus &&
  room.cpus >= job.cpus &&
  room.mem >= job.mem &&
  (job.gpus > 0 || job.cpus === 0 || room.cpusForCpuTasks >= job.cpus);

const take = (room: Room | undefined, job: Job): void => {
  if (room === undefined) return;
  room.gpus -= job.gpus;
  room.cpus -= job.cpus;
  room.mem -= job.mem;
  if (job.gpus === 0) room.cpusForCpuTasks -= job.cpus;
};

const compareLists = (a: readonly number[], b: readonly number[]): number => {
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
};

const subsets = (jobs: readonly Job[], size: number): Job[][] => {
  if (size === 0) return [[]];
  const sets: Job[][] = [];
  jobs.forEach((job, at) => {
    for (const rest of subsets(jobs.slice(at + 1), size - 1)) sets.push([job, ...rest]);
  });
  return sets;
};
