/**
 * The rules of the field cases once more, slow and obvious, written from their description alone: whole minutes, plain objects, everything
 * anew in each pass. It holds the product, as the reader of field cases runs it, to the same starts on random small cases.
 */
import type {
  FieldCluster,
  FieldJob,
  FieldPolicy,
} from "../../../src/cli/conformance/fieldCaseFile.ts";

/** Tasks by node. */
type Rows = Map<number, number>;
interface Run {
  readonly job: number;
  readonly rows: Rows;
  readonly start: number;
  readonly end: number;
  readonly estimate: number;
}
interface Kept {
  readonly job: number;
  readonly rows: Rows;
  readonly start: number;
  readonly end: number;
}
export interface FieldOutcome {
  readonly starts: number[][];
  readonly ends: number[];
  readonly evictions: number;
}

const NEVER = Number.POSITIVE_INFINITY;

export function fieldSchedule(
  cluster: FieldCluster,
  jobs: readonly FieldJob[],
  policy: FieldPolicy,
): FieldOutcome {
  const nodes = cluster.nodes!;
  const count = jobs.length;
  const starts: number[][] = jobs.map(() => []);
  const ends = jobs.map(() => NEVER);
  const doneWork = jobs.map(() => 0);
  const arrived = jobs.map(() => false);
  const usage = new Map<string, { value: number; at: number }>();
  let waiting: number[] = [];
  let running: Run[] = [];
  let evictions = 0;
  let now = -1;

  const of = (j: number) => {
    const job = jobs[j]!;
    return {
      tasks: job.tasks ?? 1,
      gpus: job.gpus ?? 0,
      cpus: job.cpus ?? 0,
      mem: job.mem ?? 0,
      prio: job.prio ?? 0,
      submit: job.submit ?? 0,
      limit: Math.max(job.limit ?? job.runtime, job.runtime),
      user: job.user ?? "",
      tags: job.tags ?? [],
    };
  };
  const windows = (cluster.maint ?? []).map((window) => ({
    ...window,
    known: Math.min(Number(window.announced ?? window.start), window.start),
  }));
  const inWindow = (window: (typeof windows)[number], n: number) =>
    window.nodes === "all" || window.nodes.includes(nodes[n]!.id);
  const down = (n: number, t: number) =>
    (nodes[n]!.down ?? []).some(([from, to]) => from <= t && t < to);
  /** Whether a known window reaches into [from, to) on a node. */
  const closed = (n: number, from: number, to: number) =>
    windows.some(
      (window) =>
        window.known <= now && inWindow(window, n) && window.start < to && window.end > from,
    );

  /** What is free on a node at a time, with what runs then and what is kept. */
  function freeAt(n: number, t: number, kept: readonly Kept[], gone: ReadonlySet<number>) {
    const free = { gpus: nodes[n]!.gpus, cpus: nodes[n]!.cpus ?? 1e6, mem: nodes[n]!.mem ?? 1e6 };
    const take = (j: number, tasks: number) => {
      free.gpus -= tasks * of(j).gpus;
      free.cpus -= tasks * of(j).cpus;
      free.mem -= tasks * of(j).mem;
    };
    for (const run of running)
      if (!gone.has(run.job) && (t === now || t < run.estimate))
        take(run.job, run.rows.get(n) ?? 0);
    for (const one of kept) if (one.start <= t && t < one.end) take(one.job, one.rows.get(n) ?? 0);
    return free;
  }
  /** Least room for tasks of a job on each node during [from, to), and the least free GPUs. */
  function room(
    j: number,
    from: number,
    to: number,
    kept: readonly Kept[],
    gone: ReadonlySet<number>,
  ) {
    const times = [from, ...kept.map((one) => one.start), ...running.map((run) => run.estimate)];
    const inside = times.filter((t) => from <= t && t < to);
    const { tasks, gpus, cpus, mem, tags } = of(j);
    const distinct = jobs[j]!.distinct === true;
    return nodes.map((node, n) => {
      let least = distinct ? 1 : tasks;
      let free = NEVER;
      for (const t of inside) {
        const left = freeAt(n, t, kept, gone);
        free = Math.min(free, left.gpus);
        const reserve = gpus === 0 ? (policy.cpu_reserve_per_gpu ?? 0) * node.gpus : 0;
        if (gpus > 0) least = Math.min(least, Math.floor(left.gpus / gpus));
        if (cpus > 0) least = Math.min(least, Math.floor((left.cpus - reserve) / cpus));
        if (mem > 0) least = Math.min(least, Math.floor(left.mem / mem));
      }
      const usable =
        !down(n, now) &&
        !closed(n, from, to) &&
        tags.every((tag) => (node.tags ?? []).includes(tag));
      return { tasks: usable ? Math.max(0, least) : 0, free };
    });
  }

  function place(j: number, rooms: readonly { tasks: number; free: number }[]): Rows | null {
    const { tasks, gpus } = of(j);
    if (rooms.reduce((sum, one) => sum + one.tasks, 0) < tasks) return null;
    const rows: Rows = new Map();
    const all = rooms.map((_, n) => n);
    const fill = (order: number[]) => {
      let left = tasks;
      for (const n of order) {
        const add = Math.min(left, rooms[n]!.tasks);
        if (add > 0) rows.set(n, add);
        left -= add;
      }
    };
    const oneByOne = (sign: 1 | -1) => {
      for (let task = 0; task < tasks; task++) {
        const able = all.filter((n) => (rows.get(n) ?? 0) < rooms[n]!.tasks);
        const free = (n: number) => rooms[n]!.free - gpus * (rows.get(n) ?? 0);
        able.sort((a, b) => sign * (free(a) - free(b)) || a - b);
        rows.set(able[0]!, (rows.get(able[0]!) ?? 0) + 1);
      }
    };
    switch (policy.place ?? "first") {
      case "first":
        fill(all);
        break;
      case "packpod":
        oneByOne(1);
        break;
      case "spread":
        oneByOne(-1);
        break;
      case "pack": {
        const holder = all
          .filter((n) => rooms[n]!.tasks >= tasks)
          .sort((a, b) => rooms[a]!.free - rooms[b]!.free || a - b)[0];
        if (holder !== undefined) rows.set(holder, tasks);
        else fill([...all].sort((a, b) => rooms[b]!.tasks - rooms[a]!.tasks || a - b));
      }
    }
    return rows;
  }

  const canStart = (j: number, kept: readonly Kept[], gone: ReadonlySet<number>): Rows | null =>
    place(j, room(j, now, now + of(j).limit, kept, gone));

  function earliest(j: number, kept: readonly Kept[]): Kept | null {
    const times = [
      now,
      ...running.map((run) => run.estimate),
      ...kept.map((one) => one.end),
      ...windows.filter((window) => window.known <= now).map((window) => window.end),
    ];
    for (const t of [...new Set(times)].filter((at) => at >= now).sort((a, b) => a - b)) {
      if (t > now + (policy.window ?? NEVER)) return null;
      const rows = place(j, room(j, t, t + of(j).limit, kept, new Set()));
      if (rows !== null) return { job: j, rows, start: t, end: t + of(j).limit };
    }
    return null;
  }

  function charge(run: Run, to: number): void {
    const { user, gpus, tasks } = of(run.job);
    settle(user, to);
    const one = usage.get(user)!;
    const half = policy.half_life ?? 0;
    const spent = tasks * gpus;
    // Of a steady use over dt: what has faded since.
    const from = Math.max(run.start, lastCharged.get(run.job) ?? 0);
    const dt = to - from;
    lastCharged.set(run.job, to);
    one.value += half > 0 ? (spent * half * (1 - 2 ** (-dt / half))) / Math.LN2 : spent * dt;
  }
  const lastCharged = new Map<number, number>();
  function settle(user: string, to: number): void {
    const one = usage.get(user) ?? { value: 0, at: to };
    const half = policy.half_life ?? 0;
    if (half > 0) one.value *= 2 ** (-(to - one.at) / half);
    one.at = to;
    usage.set(user, one);
  }

  function inOrder(): number[] {
    if (policy.order === "fair") {
      for (const j of jobs.keys()) settle(of(j).user, now);
      for (const run of running) charge(run, now);
    }
    const used = (j: number) =>
      policy.order === "fair" ? Math.round(usage.get(of(j).user)!.value * 1e6) : 0;
    return [...waiting].sort(
      (a, b) =>
        of(b).prio - of(a).prio || used(a) - used(b) || of(a).submit - of(b).submit || a - b,
    );
  }

  function begin(j: number, rows: Rows): void {
    const left = jobs[j]!.runtime - doneWork[j]!;
    starts[j]!.push(now);
    running.push({ job: j, rows, start: now, end: now + left, estimate: now + of(j).limit });
    waiting = waiting.filter((other) => other !== j);
    lastCharged.set(j, now);
  }

  function evict(run: Run): void {
    evictions++;
    if (policy.order === "fair") charge(run, now);
    running = running.filter((other) => other !== run);
    const work = doneWork[run.job]! + (now - run.start);
    doneWork[run.job] =
      policy.ckpt === undefined ? 0 : Math.floor(work / policy.ckpt) * policy.ckpt;
    waiting.push(run.job);
  }

  const lost = (run: Run) => {
    const { tasks, gpus } = of(run.job);
    const ran = now - run.start;
    const since = policy.ckpt === undefined ? ran : (doneWork[run.job]! + ran) % policy.ckpt;
    return tasks * gpus * since;
  };

  function victimsFor(j: number, kept: readonly Kept[]): Run[] | null {
    const { prio, submit } = of(j);
    const open = running.filter(({ job }) => {
      if (jobs[job]!.preemptible === false) return false;
      if (of(job).prio < prio) return true;
      if (policy.newer_equal !== true || of(job).prio !== prio) return false;
      return of(job).submit > submit;
    });
    const enough = (set: readonly Run[]) =>
      canStart(j, kept, new Set(set.map((run) => run.job))) !== null;
    if (policy.victims === "youngest") {
      const order = [...open].sort(
        (a, b) => of(a.job).prio - of(b.job).prio || b.start - a.start || a.job - b.job,
      );
      let set: Run[] = [];
      for (const run of order) {
        if (enough(set)) break;
        set.push(run);
      }
      if (!enough(set)) return null;
      for (const run of [...set].reverse()) {
        const less = set.filter((other) => other !== run);
        if (enough(less)) set = less;
      }
      return set;
    }
    for (let size = 1; size <= open.length; size++) {
      const sets = subsets(open, size).filter(enough);
      if (sets.length === 0) continue;
      const rank = (set: readonly Run[]) => [
        ...set.map((run) => of(run.job).prio).sort((a, b) => b - a),
        set.reduce((sum, run) => sum + lost(run), 0),
        ...set.map((run) => run.job).sort((a, b) => a - b),
      ];
      return sets.sort((a, b) => compareLists(rank(a), rank(b)))[0]!;
    }
    return null;
  }

  /** Whether what the job waits for has ended by then. */
  function isFree(j: number, by: number): boolean {
    const after = jobs[j]!.after === undefined ? [] : [jobs[j]!.after as string];
    return after.every((id) => ends[jobs.findIndex((job) => job.id === id)]! <= by);
  }

  function pass(): void {
    const kept: Kept[] = [];
    const most = policy.mode === "backfill" ? (policy.depth ?? 1) : 0;
    let looked = 0;
    for (const j of inOrder()) {
      if (looked++ >= (policy.max_test ?? NEVER)) break;
      const { user, tasks } = of(j);
      const used = running
        .filter((run) => of(run.job).user === user)
        .reduce((sum, run) => sum + of(run.job).tasks, 0);
      if (used + tasks > (policy.user_max ?? NEVER)) {
        if (policy.mode === "strict") break;
        continue;
      }
      const rows = canStart(j, kept, new Set());
      if (rows !== null) {
        begin(j, rows);
        continue;
      }
      const victims = policy.preempt === "priority" ? victimsFor(j, kept) : null;
      if (victims !== null) {
        for (const run of victims) evict(run);
        begin(j, canStart(j, kept, new Set())!);
        continue;
      }
      if (policy.mode === "strict") break;
      if (kept.length >= most) continue;
      const one = earliest(j, kept);
      if (one !== null) kept.push(one);
    }
  }

  for (;;) {
    const moments = [
      ...running.map((run) => run.end),
      // Nothing happens when a job is submitted that waits for another.
      ...jobs.map((_, j) => (arrived[j] || !isFree(j, of(j).submit) ? NEVER : of(j).submit)),
      ...nodes.flatMap((node) => (node.down ?? []).flat()),
      ...windows.flatMap((window) => [window.known, window.start, window.end]),
    ];
    const next = Math.min(...moments.filter((t) => t > now));
    const open = starts.some((list, j) => list.length === 0 || ends[j] === NEVER);
    if (next === NEVER || !open) return { starts, ends, evictions };
    now = next;
    for (const run of running.filter((one) => one.end === now)) {
      if (policy.order === "fair") charge(run, now);
      ends[run.job] = now;
      running = running.filter((one) => one !== run);
    }
    for (let j = 0; j < count; j++) {
      if (arrived[j] || of(j).submit > now || !isFree(j, now)) continue;
      arrived[j] = true;
      waiting.push(j);
    }
    for (const window of windows) {
      if (window.kill !== true || window.start !== now) continue;
      for (const run of [...running])
        if ([...run.rows.keys()].some((n) => inWindow(window, n))) evict(run);
    }
    pass();
  }
}

function subsets<T>(list: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return list.flatMap((one, at) =>
    subsets(list.slice(at + 1), size - 1).map((rest) => [one, ...rest]),
  );
}

function compareLists(one: readonly number[], other: readonly number[]): number {
  for (let at = 0; at < one.length; at++) {
    if (one[at] !== other[at]) return one[at]! - other[at]!;
  }
  return 0;
}
