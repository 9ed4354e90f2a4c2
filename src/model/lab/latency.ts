/**
 * How long requests of an inference service take, from a formula and not request by request: M/G/c in steady state while the replicas keep up, a
 * fluid queue while they do not. `c` = replicas × requests that each works on at the same time.
 *
 *     P(wait > 0) = Erlang's C (by its recurrence: no factorials);  mean wait = C / (cμ − λ) · (1 + cv²)/2  (Allen and Cunneen; exact for M/M/c and M/G/1)
 *     wait, where there is one: exponential;  service time: two moments, shifted exponential (cv² ≤ 1) or balanced hyperexponential (cv² > 1)
 *     backlog b > 0, or λ ≥ cμ: who comes now waits b / (cμ), and b grows by λ − cμ
 *
 * Sources: A. O. Allen, Probability, Statistics, and Queueing Theory, 2nd ed. 1990, §5.3; H. C. Tijms, A First Course in Stochastic Models, 2003,
 * appendix B (fits of two moments) and §9.6. Known faults: arrivals count as Poisson, so bursty ones wait longer; near full load the
 * steady state comes late, so a short peak is judged too hard; a replica's speed does not depend on how many requests it has. Cost O(c) for few servers, O(√c) for many.
 */

export interface Serving {
  /** Requests a second. */
  readonly perSec: number;
  /** Requests that are worked on at the same time at most: replicas × concurrency. 0 = nobody serves. */
  readonly servers: number;
  /** Mean (ms) and squared coefficient of variation of the time that one takes. */
  readonly requestMs: number;
  readonly requestCv2: number;
  /** Requests that wait already. */
  readonly backlog: number;
}

const MS_PER_SEC = 1_000;
/** Relative: milliseconds of hours. */
const PRECISION = 1e-7;

/** 2^0, 2^−1, … down to 0. */
const HALVES = Float64Array.from({ length: 1_080 }, () => 0);
for (let k = 0, half = 1; k < HALVES.length; k++, half /= 2) HALVES[k] = half;
const TERMS = 14;

/** e^x for x ≤ 0, by plain arithmetic: 2^−k times a Taylor series on [0, ln 2). Relative error below 1e-14. */
function exp(x: number): number {
  const k = Math.floor(-x / Math.LN2);
  if (!(k < HALVES.length)) return 0;
  const rest = -x - k * Math.LN2;
  // 1 / e^rest, all terms positive.
  let sum = 1;
  for (let term = TERMS; term > 0; term--) sum = 1 + (sum * rest) / term;
  return HALVES[k]! / sum;
}

/** Requests a second that so many servers can finish. */
export function capacityPerSec(servers: number, requestMs: number): number {
  return (servers * MS_PER_SEC) / requestMs;
}

/** Up to so many servers the recurrence goes through all of them. */
const RECURRENCE_MOST = 2_000;

/**
 * Probability that a request has to wait with `servers` servers and `load` Erlangs offered; 1 where load ≥ servers. O(servers) for few of them, some
 * hundred times √servers at most for many.
 */
export function erlangC(servers: number, load: number): number {
  if (load >= servers) return 1;
  const blocked = servers > RECURRENCE_MOST ? erlangBOfMany(servers, load) : erlangB(servers, load);
  return blocked / (1 - (load / servers) * (1 - blocked));
}

/** Erlang's B by its recurrence. O(servers). */
export function erlangB(servers: number, load: number): number {
  let blocked = 1;
  for (let server = 1; server <= servers; server++)
    blocked = (load * blocked) / (server + load * blocked);
  return blocked;
}

/**
 * The same as 1 ÷ Σ c·(c−1)·…·(c−k+1) / aᵏ over k from 0: terms grow up to k = c − a, and fall then; where they grow beyond all bounds nobody is ever blocked. All
 * terms are positive, so nothing cancels. O(terms that count): some times √c near full load, few with much to spare.
 */
export function erlangBOfMany(servers: number, load: number): number {
  let term = 1;
  let sum = 1;
  for (let left = servers; left > 0; left--) {
    term *= left / load;
    sum += term;
    if (sum > 1e300) return 0;
    if (left <= load && term < sum * 1e-17) break;
  }
  return 1 / sum;
}

/** Mean wait before service in steady state (ms), Allen–Cunneen; `Infinity` where load ≥ servers. */
export function meanWaitMs(serving: Serving): number {
  const { perSec, servers, requestMs, requestCv2 } = serving;
  const spare = capacityPerSec(servers, requestMs) - perSec;
  if (spare <= 0) return Number.POSITIVE_INFINITY;
  const waits = erlangC(servers, (perSec * requestMs) / MS_PER_SEC);
  return ((waits * MS_PER_SEC) / spare) * ((1 + requestCv2) / 2);
}

/** Requests that wait after `ms` at these rates. */
export function backlogAfter(serving: Serving, ms: number): number {
  const growth = serving.perSec - capacityPerSec(serving.servers, serving.requestMs);
  return Math.max(0, serving.backlog + (growth * ms) / MS_PER_SEC);
}

/** Part of the requests that come now and take no longer than `targetMs`. */
export function withinTarget(serving: Serving, targetMs: number): number {
  return 1 - tailOf(serving)(targetMs);
}

/** The time that this part (0 to 1) of the requests that come now do not exceed (ms). Costs some 25 evaluations of the tail. */
export function latencyMs(serving: Serving, part: number): number {
  const tail = tailOf(serving);
  let low = 0;
  let high = serving.requestMs;
  while (tail(high) > 1 - part) {
    low = high;
    high *= 2;
  }
  while (high - low > PRECISION * high) {
    const middle = (low + high) / 2;
    if (tail(middle) > 1 - part) low = middle;
    else high = middle;
  }
  return high;
}

type Tail = (ms: number) => number;

/** Probability that a request takes longer. */
function tailOf(serving: Serving): Tail {
  const { perSec, servers, requestMs, requestCv2, backlog } = serving;
  const fluid = backlog > 0 || perSec >= capacityPerSec(servers, requestMs);
  // Nobody serves: as if one server were to come at once.
  const delayMs = fluid
    ? backlog / (capacityPerSec(Math.max(1, servers), requestMs) / MS_PER_SEC)
    : 0;
  const waits = fluid ? 0 : erlangC(servers, (perSec * requestMs) / MS_PER_SEC);
  const meanOfThoseMs = waits > 0 ? meanWaitMs(serving) / waits : 0;
  const service = serviceTime(requestMs, requestCv2);
  return (ms) => {
    const leftMs = ms - delayMs;
    let tail = 0;
    for (const { weight, shiftMs, meanMs } of service)
      tail += weight * sumTail(leftMs - shiftMs, meanMs, waits, meanOfThoseMs);
    return tail;
  };
}

/** Exponentials, each behind a constant, whose mixture has this mean and variation. */
function serviceTime(meanMs: number, cv2: number) {
  if (cv2 <= 1) {
    const spreadMs = meanMs * Math.sqrt(cv2);
    return [{ weight: 1, shiftMs: meanMs - spreadMs, meanMs: spreadMs }];
  }
  const weight = (1 + Math.sqrt((cv2 - 1) / (cv2 + 1))) / 2;
  return [
    { weight, shiftMs: 0, meanMs: meanMs / (2 * weight) },
    { weight: 1 - weight, shiftMs: 0, meanMs: meanMs / (2 * (1 - weight)) },
  ];
}

/** P(X + W > t): X exponential; W = 0, or exponential with probability `waits`. */
function sumTail(t: number, meanMs: number, waits: number, waitMs: number): number {
  if (t < 0) return 1;
  const alone = meanMs > 0 ? exp(-t / meanMs) : 0;
  if (waits === 0) return alone;
  const waiting = exp(-t / waitMs);
  if (meanMs === 0) return waits * waiting;
  const difference = 1 / meanMs - 1 / waitMs;
  const convolved = Math.abs(difference) * t < 1e-6 ? t * waiting : (waiting - alone) / difference;
  return (1 - waits) * alone + waits * (waiting + convolved / waitMs);
}

/** The fewest replicas with which the latency of this part of the requests stays within `targetMs`; `most` where none does. O(log most) evaluations. */
export function replicasForLatency(
  serving: Omit<Serving, "servers" | "backlog">,
  concurrency: number,
  part: number,
  targetMs: number,
  most: number,
): number {
  let low = 0;
  let high = most;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const met =
      withinTarget({ ...serving, servers: middle * concurrency, backlog: 0 }, targetMs) >= part &&
      serving.perSec < capacityPerSec(middle * concurrency, serving.requestMs);
    if (met) high = middle;
    else low = middle;
  }
  return serving.perSec === 0 ? 0 : high;
}
