import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readRequests, withPoissonArrivals } from "../../../bench/studies/latency.ts";
import { formulaWithin, type Requests, responsesMs } from "../../../bench/studies/requestRun.ts";
import { randomStream } from "../../../src/base/random.ts";
import {
  backlogAfter,
  erlangB,
  erlangBOfMany,
  erlangC,
  latencyMs,
  meanWaitMs,
  replicasForLatency,
  withinTarget,
} from "../../../src/model/lab/latency.ts";

const serving = { perSec: 0.5, servers: 1, requestMs: 1_000, requestCv2: 1, backlog: 0 };

describe("latency of a service", () => {
  it("is exponential with mean 1/(μ − λ) in M/M/1", () => {
    expect(meanWaitMs(serving)).toBeCloseTo(1_000, 6);
    expect(latencyMs(serving, 0.95)).toBeCloseTo(-2_000 * Math.log(0.05), 3);
    expect(withinTarget(serving, 2_000)).toBeCloseTo(1 - Math.exp(-1), 9);
  });

  it("has Erlang's C: 3 servers, 2 Erlangs: 4/9; none waits without load, all where load reaches the servers", () => {
    expect(erlangC(3, 2)).toBeCloseTo(4 / 9, 12);
    expect(erlangC(3, 0)).toBe(0);
    expect(erlangC(3, 3)).toBe(1);
    // By the sum with factorials would overflow here.
    expect(erlangC(1_000, 990)).toBeGreaterThan(0.5);
  });

  it("has the same part of requests blocked by the short sum for many servers as by the recurrence through all", () => {
    for (const servers of [1, 7, 300, 2_001, 10_000, 60_000]) {
      for (const spare of [0.001, 0.5, 3, 20, Math.sqrt(servers), servers / 2]) {
        const load = servers - spare;
        if (load <= 0) continue;
        const exact = erlangB(servers, load);
        const short = erlangBOfMany(servers, load);
        expect(Math.abs(short - exact)).toBeLessThanOrEqual(1e-11 * exact + 1e-290);
      }
    }
    expect(erlangBOfMany(5_000, 0)).toBe(0);
    expect(erlangC(6_000_000, 5_990_000)).toBeGreaterThan(0);
    expect(erlangC(6_000_000, 5_990_000)).toBeLessThan(0.001);
  });

  it("is the time that a backlog takes also where the replicas keep up by now", () => {
    const later = { ...serving, servers: 2, requestCv2: 0, perSec: 1, backlog: 10 };
    expect(latencyMs(later, 0.95)).toBeCloseTo(6_000, 3);
  });

  it("halves the mean wait where all requests take the same time (M/D/1)", () => {
    const even = { ...serving, requestCv2: 0 };
    expect(meanWaitMs(even)).toBeCloseTo(500, 6);
    expect(latencyMs({ ...even, perSec: 0 }, 0.99)).toBeCloseTo(1_000, 3);
  });

  it("keeps mean and variation of the service time when it varies more than an exponential", () => {
    const idle = { ...serving, perSec: 0, requestCv2: 4 };
    const steps = 200_000;
    let mean = 0;
    let square = 0;
    for (let i = 0; i < steps; i++) {
      const ms = (i + 0.5) * 1;
      const tail = 1 - withinTarget(idle, ms);
      mean += tail;
      square += 2 * ms * tail;
    }
    expect(mean).toBeCloseTo(1_000, 0);
    expect(square / (mean * mean) - 1).toBeCloseTo(4, 2);
  });

  it("is the time that a backlog takes, where the replicas do not keep up", () => {
    const flooded = { ...serving, perSec: 3, servers: 2, requestCv2: 0 };
    expect(backlogAfter(flooded, 10_000)).toBe(10);
    expect(latencyMs({ ...flooded, backlog: 10 }, 0.95)).toBeCloseTo(6_000, 3);
    expect(withinTarget({ ...flooded, backlog: 10 }, 5_999)).toBe(0);
    expect(backlogAfter({ ...flooded, perSec: 0, backlog: 10 }, 4_000)).toBe(2);
    expect(backlogAfter({ ...flooded, perSec: 0, backlog: 10 }, 60_000)).toBe(0);
  });

  it("goes to infinity with no server, request by request", () => {
    const down = { ...serving, servers: 0 };
    expect(backlogAfter(down, 100_000)).toBe(50);
    expect(meanWaitMs(down)).toBe(Number.POSITIVE_INFINITY);
  });

  it("asks for one replica more where one fewer misses the target", () => {
    const load = { perSec: 20, requestMs: 1_000, requestCv2: 1 };
    const found = replicasForLatency(load, 4, 0.95, 3_050, 100);
    const within = (replicas: number) =>
      withinTarget({ ...load, servers: replicas * 4, backlog: 0 }, 3_050);
    expect(within(found)).toBeGreaterThanOrEqual(0.95);
    expect(within(found - 1)).toBeLessThan(0.95);
    expect(replicasForLatency({ ...load, perSec: 0 }, 4, 0.95, 3_050, 100)).toBe(0);
    expect(replicasForLatency(load, 4, 0.95, 10, 7)).toBe(7);
  });
});

const TRACE = new URL(
  "../../../../shared/traces/inference/AzureLLMInferenceTrace_code.csv",
  import.meta.url,
);

describe("latency of a service, against single requests", () => {
  it.each([
    [2, 0.8, 1, 0.06],
    [8, 0.8, 1, 0.06],
    [8, 0.6, 0, 0.06],
    // Waits behind requests that vary so much are not exponential.
    [1, 0.7, 4, 0.12],
  ])("is that of %i servers at load %d and cv² %d", (servers, load, cv2, most) => {
    const draw = randomStream(7, "requests", `${servers} ${load} ${cv2}`);
    const requests = drawRequests(200_000, (1_000 / load) * (1 / servers), cv2, draw);
    const responses = responsesMs(requests, servers).sort();
    const serving = {
      perSec: load * servers,
      servers,
      requestMs: 1_000,
      requestCv2: cv2,
      backlog: 0,
    };
    const real = responses[Math.ceil(0.95 * responses.length) - 1]!;
    expect(Math.abs(latencyMs(serving, 0.95) / real - 1)).toBeLessThan(most);
  });

  it.skipIf(!existsSync(TRACE))(
    "is right to 5 points for requests of an Azure trace with Poisson arrivals",
    () => {
      const poisson = withPoissonArrivals(readRequests(readFileSync(TRACE, "utf8")), 20);
      for (const servers of [4, 5, 6, 8]) {
        const responses = responsesMs(poisson, servers);
        const real = responses.filter((ms) => ms <= 5_000).length / responses.length;
        const whole = poisson.arrivalMs.at(-1)! + 1;
        expect(Math.abs(formulaWithin(poisson, servers, whole)(5_000) - real)).toBeLessThan(0.05);
      }
    },
  );
});

/** Exponential, fixed, or balanced hyperexponential service times with mean 1 s. */
function drawRequests(count: number, gapMs: number, cv2: number, draw: () => number): Requests {
  const weight = (1 + Math.sqrt(Math.max(0, cv2 - 1) / (cv2 + 1))) / 2;
  let atMs = 0;
  return {
    arrivalMs: Float64Array.from({ length: count }, () => (atMs -= gapMs * Math.log(1 - draw()))),
    serviceMs: Float64Array.from({ length: count }, () => {
      const branch = draw() < weight ? weight : 1 - weight;
      const exponential = -Math.log(1 - draw());
      if (cv2 === 0) return 1_000;
      return exponential * (cv2 === 1 ? 1_000 : 1_000 / (2 * branch));
    }),
  };
}
