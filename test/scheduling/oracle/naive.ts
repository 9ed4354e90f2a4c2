/**
 * A slow, obvious scheduler and simulator in one, written apart from the product: everything is recomputed from scratch at
 * every instant, on plain objects, with no index and no shortcut. It knows jobs of one part and counts GPUs and CPUs by node; a flat
 * machine is one node. Used only to hold the fast one to the same start times and nodes.
 */
/** The rules that it knows. */
export const NAIVE_PLACEMENTS = [
  "firstFit",
  "bestFit",
  "worstFit",
  "spread",
  "pack",
  "packPod",
  "fewestNodes",
  "sameLeaf",
] as const;
export type NaivePlacement = (typeof NAIVE_PLACEMENTS)[number];

export interface NaiveJob {
  readonly submit: number;
  readonly run: number;
  readonly limit: number;
  readonly members: number;
  readonly gpus: number;
  readonly cpus: number;
  readonly ownNode: boolean;
  readonly tier: number;
}
export interface NaiveSetting {
  readonly nodes: number;
  readonly gpus: number;
  readonly cpus: number;
  readonly leaves: number;
  readonly order: "fcfs" | "shortest" | "tiers";
  readonly backfill: "none" | "easy" | "conservative" | "skip" | "reservations";
  /** `reservations`: so many, made anew in each pass, none later than this from now. */
  readonly reservations?: number;
  readonly window?: number;
  readonly placement: NaivePlacement;
  readonly depth: number;
  /** The world counts as memory what is called CPUs here: the rules for both are the same. */
  readonly cpusAreMemory: boolean;
  readonly kill: boolean;
}
/** Members by node. */
type Rows = Map<number, number>;
interface Room {
  gpus: number[];
  cpus: number[];
}
interface Running {
  job: number;
  rows: Rows;
  end: number;
  estimate: number;
}
interface Kept {
  job: number;
  start: number;
  end: number;
  rows: Rows;
}
export interface NaiveRun {
  start: number;
  rows: Rows;
}

export function naiveSchedule(jobs: readonly NaiveJob[], setting: NaiveSetting): NaiveRun[] {
  const result: NaiveRun[] = jobs.map(() => ({ start: -1, rows: new Map() }));
  const free: Room = {
    gpus: new Array<number>(setting.nodes).fill(setting.gpus),
    cpus: new Array<number>(setting.nodes).fill(setting.cpus),
  };
  const empty = copy(free);
  let running: Running[] = [];
  let waiting: number[] = [];
  let head: Kept | null = null;
  let plans: Kept[] = [];
  let time = -1;

  const need = (j: number) => jobs[j]!;
  const capOn = (room: Room, n: number, j: number) => {
    const { gpus, cpus, members, ownNode } = need(j);
    const byGpu = gpus > 0 ? Math.floor(room.gpus[n]! / gpus) : members;
    const byCpu = cpus > 0 ? Math.floor(room.cpus[n]! / cpus) : members;
    return Math.max(0, Math.min(byGpu, byCpu, ownNode ? 1 : members));
  };
  const nodeList = Array.from({ length: setting.nodes }, (_, n) => n);
  const fits = (room: Room, j: number) =>
    nodeList.reduce((sum, n) => sum + capOn(room, n, j), 0) >= need(j).members;

  function place(room: Room, j: number): Rows | null {
    if (!fits(room, j)) return null;
    const rows: Rows = new Map();
    const add = (n: number, count: number) => {
      rows.set(n, (rows.get(n) ?? 0) + count);
    };
    const pack = (among: number[], wanted: number, emptiest: boolean) => {
      let left = wanted;
      let open = among.filter((n) => capOn(room, n, j) > 0);
      while (left > 0) {
        const byFree = [...open].sort((a, b) => room.gpus[a]! - room.gpus[b]! || a - b);
        const holder = byFree.find((n) => capOn(room, n, j) >= left);
        const fill = emptiest
          ? [...open].sort((a, b) => room.gpus[b]! - room.gpus[a]! || a - b)[0]!
          : byFree[0]!;
        const node = holder ?? fill;
        const count = Math.min(left, capOn(room, node, j));
        add(node, count);
        left -= count;
        open = open.filter((n) => n !== node);
      }
    };
    const members = need(j).members;
    switch (setting.placement) {
      case "firstFit": {
        let left = members;
        for (const n of nodeList) {
          const count = Math.min(left, capOn(room, n, j));
          if (count > 0) add(n, count);
          left -= count;
        }
        break;
      }
      case "bestFit":
        pack(nodeList, members, false);
        break;
      case "fewestNodes":
        pack(nodeList, members, !need(j).ownNode);
        break;
      case "spread": {
        const now = copy(room);
        for (let m = 0; m < members; m++) {
          const able = nodeList.filter(
            (n) => capOn(now, n, j) > 0 && !(need(j).ownNode && rows.has(n)),
          );
          able.sort((a, b) => now.gpus[b]! - now.gpus[a]! || a - b);
          const n = able[0]!;
          add(n, 1);
          now.gpus[n] = now.gpus[n]! - need(j).gpus;
          now.cpus[n] = now.cpus[n]! - need(j).cpus;
        }
        break;
      }
      case "pack": {
        const holder = nodeList
          .filter((n) => capOn(room, n, j) >= members)
          .sort((a, b) => room.gpus[a]! - room.gpus[b]! || a - b)[0];
        const order =
          holder === undefined
            ? [...nodeList].sort((a, b) => capOn(room, b, j) - capOn(room, a, j) || a - b)
            : [holder];
        let left = members;
        for (const n of order) {
          const count = Math.min(left, capOn(room, n, j));
          if (count > 0) add(n, count);
          left -= count;
        }
        break;
      }
      case "packPod":
      case "worstFit": {
        // Member by member: the fullest node with room, or the node that the last member went to, else the emptiest.
        const now = copy(room);
        let last = -1;
        for (let m = 0; m < members; m++) {
          const able = nodeList.filter(
            (n) => capOn(now, n, j) > 0 && !(need(j).ownNode && rows.has(n)),
          );
          const sign = setting.placement === "packPod" ? 1 : -1;
          able.sort((a, b) => sign * (now.gpus[a]! - now.gpus[b]!) || a - b);
          if (sign > 0 || !able.includes(last)) last = able[0]!;
          add(last, 1);
          now.gpus[last] = now.gpus[last]! - need(j).gpus;
          now.cpus[last] = now.cpus[last]! - need(j).cpus;
        }
        break;
      }
      case "sameLeaf": {
        const perLeaf = Math.ceil(setting.nodes / setting.leaves);
        const leaves = Array.from({ length: setting.leaves }, (_, l) =>
          nodeList.filter((n) => Math.floor(n / perLeaf) === l),
        );
        let left = members;
        const used = new Set<number>();
        while (left > 0) {
          const room_ = (l: number) => leaves[l]!.reduce((sum, n) => sum + capOn(room, n, j), 0);
          const open = leaves.map((_, l) => l).filter((l) => !used.has(l));
          const tight = open
            .filter((l) => room_(l) >= left)
            .sort((a, b) => room_(a) - room_(b) || a - b)[0];
          const leaf = tight ?? open.sort((a, b) => room_(b) - room_(a) || a - b)[0]!;
          const count = Math.min(left, room_(leaf));
          pack(leaves[leaf]!, count, false);
          used.add(leaf);
          left -= count;
        }
        break;
      }
    }
    return rows;
  }

  const change = (room: Room, j: number, rows: Rows, sign: number) => {
    for (const [n, count] of rows) {
      room.gpus[n] = room.gpus[n]! + sign * count * need(j).gpus;
      room.cpus[n] = room.cpus[n]! + sign * count * need(j).cpus;
    }
  };
  const holds = (room: Room, j: number, rows: Rows) =>
    rows.size > 0 &&
    [...rows].every(
      ([n, c]) => room.gpus[n]! >= c * need(j).gpus && room.cpus[n]! >= c * need(j).cpus,
    );
  const start = (j: number, rows: Rows) => {
    change(free, j, rows, -1);
    const { run, limit } = need(j);
    running.push({
      job: j,
      rows,
      end: time + (setting.kill ? Math.min(run, limit) : run),
      estimate: time + limit,
    });
    waiting = waiting.filter((other) => other !== j);
    result[j] = { start: time, rows };
  };
  const counted = (r: Running) => (r.estimate <= time ? time + 1 : r.estimate);
  const inQueueOrder = (a: number, b: number) => {
    const key = (j: number) =>
      setting.order === "fcfs"
        ? need(j).submit
        : setting.order === "shortest"
          ? need(j).limit
          : need(j).tier;
    return key(a) - key(b) || need(a).submit - need(b).submit || a - b;
  };

  function passQueue(): void {
    waiting.sort(inQueueOrder);
    for (;;) {
      const first = waiting[0];
      const rows = first === undefined ? null : place(free, first);
      if (rows === null) break;
      start(first!, rows);
    }
    const first = waiting[0];
    if (first === undefined || setting.backfill === "none") {
      head = null;
      return;
    }
    const future = copy(free);
    let shadow = Number.POSITIVE_INFINITY;
    for (const at of [...new Set(running.map(counted))].sort((a, b) => a - b)) {
      for (const r of running) if (counted(r) === at) change(future, r.job, r.rows, 1);
      if (!fits(future, first)) continue;
      shadow = at;
      break;
    }
    const keep: boolean =
      head?.job === first && head.start === shadow && holds(future, first, head.rows);
    const rows: Rows = keep ? head!.rows : place(future, first)!;
    head = { job: first, start: shadow, end: shadow, rows };
    change(future, first, rows, -1);
    for (const j of waiting.slice(1)) {
      const inTime = time + need(j).limit <= shadow;
      const room = inTime ? free : lesser(free, future);
      const where = place(room, j);
      if (where === null) continue;
      if (!inTime) change(future, j, where, -1);
      start(j, where);
    }
  }

  /** Least room on each node during [from, to). */
  function roomOver(from: number, to: number): Room {
    const times = [from];
    for (const r of running) times.push(counted(r));
    for (const p of plans) times.push(p.start, p.end);
    let least: Room | null = null;
    for (const t of times.filter((at) => at >= from && at < to)) {
      const room = copy(free);
      for (const r of running) if (counted(r) <= t) change(room, r.job, r.rows, 1);
      for (const p of plans) if (p.start <= t && t < p.end) change(room, p.job, p.rows, -1);
      least = least === null ? room : lesser(least, room);
    }
    return least!;
  }
  function earliest(j: number): Kept {
    const times = [time, ...running.map(counted), ...plans.map((p) => p.end)].filter(
      (t) => t >= time,
    );
    for (const t of times.sort((a, b) => a - b)) {
      const rows = place(roomOver(t, t + need(j).limit), j);
      if (rows !== null) return { job: j, start: t, end: t + need(j).limit, rows };
    }
    throw new Error("a job that fits the empty machine fits after all ends");
  }
  const byStart = (a: Kept, b: Kept) =>
    a.start - b.start || need(a.job).submit - need(b.job).submit || a.job - b.job;

  function passPlans(compress: boolean): void {
    if (compress) {
      const kept = plans;
      plans = [];
      for (const p of kept) {
        const ok = p.start >= time && holds(roomOver(p.start, p.end), p.job, p.rows);
        plans.push(ok ? p : earliest(p.job));
      }
      plans.sort(byStart);
      for (const p of [...plans]) {
        if (p.start <= time) continue;
        plans = plans.filter((other) => other !== p);
        const better = earliest(p.job);
        plans.push(better.start < p.start ? better : p);
      }
      plans.sort(byStart);
    }
    for (const p of plans.filter((plan) => plan.start <= time)) {
      plans = plans.filter((other) => other !== p);
      start(p.job, p.rows);
    }
    waiting.sort(inQueueOrder);
    for (const j of [...waiting]) {
      if (plans.length >= setting.depth) break;
      if (plans.some((p) => p.job === j)) continue;
      const plan = earliest(j);
      if (plan.start <= time) start(j, plan.rows);
      else plans.push(plan);
      plans.sort(byStart);
    }
  }

  /** Once through the queue; every reservation is made anew. */
  function passAnew(): void {
    plans = [];
    const most = setting.backfill === "skip" ? 0 : setting.reservations!;
    waiting.sort(inQueueOrder);
    for (const j of [...waiting]) {
      const rows = place(roomOver(time, time + need(j).limit), j);
      if (rows !== null) start(j, rows);
      else if (plans.length < most) {
        const plan = earliest(j);
        if (plan.start <= time + (setting.window ?? Number.POSITIVE_INFINITY)) plans.push(plan);
      }
    }
  }

  for (;;) {
    const overrun = running.some((r) => r.estimate <= time);
    const due = plans.map((p) => p.start).filter((t) => t > time + (overrun ? 1 : 0));
    const next = Math.min(
      ...running.map((r) => r.end),
      ...jobs.map((job) => job.submit).filter((t) => t > time),
      ...due,
    );
    if (next === Number.POSITIVE_INFINITY) return result;
    time = next;
    const ended = running.filter((r) => r.end === time);
    running = running.filter((r) => r.end !== time);
    for (const r of ended) change(free, r.job, r.rows, 1);
    jobs.forEach((job, j) => {
      if (job.submit === time && fits(empty, j)) waiting.push(j);
    });
    const foreseen =
      ended.every((r) => r.estimate === time) && !running.some((r) => r.estimate <= time);
    if (setting.backfill === "conservative") passPlans(!foreseen);
    else if (setting.backfill === "skip" || setting.backfill === "reservations") {
      passAnew();
      plans = [];
    } else passQueue();
  }
}

function copy(room: Room): Room {
  return { gpus: [...room.gpus], cpus: [...room.cpus] };
}
function lesser(a: Room, b: Room): Room {
  return {
    gpus: a.gpus.map((value, n) => Math.min(value, b.gpus[n]!)),
    cpus: a.cpus.map((value, n) => Math.min(value, b.cpus[n]!)),
  };
}
