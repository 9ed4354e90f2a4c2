/** Sharing through the engine: who is next by what was used, what is held, and what counts. */
import { describe, expect, test } from "vitest";
import type { SettingValue } from "../../../src/model/policy.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { runLines, runWorld } from "../../support/draw.ts";
import { tenancyWorld } from "../../support/tenancyWorld.ts";
import { labPool } from "../policyDocs.ts";

type Given = Readonly<Record<string, SettingValue>>;

/** Starts (s) by name: first runs only. */
function starts(settings: Given, text: string): Record<string, number> {
  const pools = [labPool({ backfill: "skip", ...settings })];
  const found: Record<string, number> = {};
  for (const line of runLines(runWorld(tenancyWorld(text, { pools }), schedulerOf))) {
    const [, name, number, start] = /^(\w+)#(\d+) ([\d.]+)-/.exec(line)!;
    if (number === "1") found[name!] = Number(start);
  }
  return found;
}

const many = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");

describe("memory", () => {
  // A fills ten devices for an hour and has 20 more jobs; B comes at half past with five. Minutes are seconds here.
  const TEXT = `10 gpus
    ${many(30, (i) => `0s a${i} x1 60s user A`)}
    ${many(5, (i) => `30s b${i} x1 60s user B`)}`;

  test("with usage remembered the newcomer is first when devices come free", () => {
    const found = starts({ order: "leastUsage", halfLifeMs: 240_000 }, TEXT);
    expect([found["b0"], found["b4"], found["a10"], found["a15"]]).toEqual([60, 60, 60, 120]);
  });
  test("in order of arrival it waits for all of the heavy user's jobs", () =>
    expect(starts({ order: "fcfs" }, TEXT)["b0"]).toBe(180));
  test("without memory the heavy user shares what comes free as if nothing had been", () => {
    const found = starts({ order: "maxMin", shareOf: "user" }, TEXT);
    expect([found["b0"], found["b4"], found["a10"], found["a14"]]).toEqual([60, 60, 60, 60]);
    expect(found["a15"]).toBe(120);
  });

  test("a half-life of 0 does not switch fairness off: nothing is forgotten", () => {
    const text = `4 gpus
      ${many(5, (i) => `0s h${i} x4 60s user hot`)}
      30s c0 x4 60s user cold`;
    const found = starts({ order: "leastUsage", halfLifeMs: 0 }, text);
    expect([found["c0"], found["h1"]]).toEqual([60, 120]);
  });

  test("fair share orders those that wait and takes nothing from those that run", () => {
    const text = `2 gpus
      0s a0 x1 800s user A
      0s a1 x1 800s user A
      1s b x1 2s user B
      1s a2 x1 2s user A`;
    expect(starts({ order: "leastUsage", halfLifeMs: 10_080_000 }, text)).toMatchObject({
      b: 800,
      a2: 800,
    });
  });

  test("priority stands before usage", () => {
    const text = `1 gpus
      0s a0 x1 10s user A
      1s b0 x1 10s user B
      2s a1 x1 10s user A priority 1`;
    expect(starts({ order: "leastUsage", halfLifeMs: 60_000 }, text)).toEqual({
      a0: 0,
      a1: 10,
      b0: 20,
    });
  });

  test("running jobs count up to now", () => {
    // At 30 s A has held one device for 30 s and still does, B two for 10 s each: 30 against 20.
    const text = `3 gpus
      0s a0 x1 100s user A
      0s b0 x2 10s user B
      0s c0 x2 30s user C
      1s a1 x2 10s user A
      2s b1 x2 10s user B`;
    expect(starts({ order: "leastUsage", halfLifeMs: 0 }, text)).toMatchObject({
      c0: 10,
      b1: 40,
      a1: 50,
    });
  });
});

describe("teams", () => {
  const twoTeams = (shares: number): string => `1 gpus
    team red shares ${shares}
    team blue shares 1
    0s r0 x1 10s team red
    1s b0 x1 10s team blue
    2s r1 x1 10s team red
    3s r2 x1 10s team red
    4s b1 x1 10s team blue`;
  test("equal shares alternate", () =>
    expect(starts({ order: "fairShare", halfLifeMs: 0 }, twoTeams(1))).toEqual({
      r0: 0,
      b0: 10,
      r1: 20,
      b1: 30,
      r2: 40,
    }));
  test("three times the shares stand for three times the usage", () =>
    // At 10: red 10/3, blue 0. At 20: 10/3 against 10. At 30: 20/3. At 40: 30/3 = 10 ties with 10: b1 is the only one left.
    expect(starts({ order: "fairShare", halfLifeMs: 0 }, twoTeams(3))).toEqual({
      r0: 0,
      b0: 10,
      r1: 20,
      r2: 30,
      b1: 40,
    }));

  test.each(["fairShare", "fairTree"])(
    "queued demand counts beside usage where it is weighed: %s",
    (order) => {
      // At 10 s blue has used nothing but has 100 device-seconds waiting, red 10 used and 10 waiting.
      const text = `1 gpus
      team red
      team blue
      0s r0 x1 10s limit 10s team red
      1s b0 x1 50s limit 50s team blue
      1s b1 x1 50s limit 50s team blue
      2s r1 x1 10s limit 10s team red`;
      const settings = { order, halfLifeMs: 0 };
      expect(starts({ ...settings, queuedWeight: 0 }, text)).toMatchObject({ b0: 10, r1: 60 });
      expect(starts({ ...settings, queuedWeight: 1 }, text)).toMatchObject({ r1: 10, b0: 20 });
    },
  );

  test("Fair Tree: who starts no longer waits, which is its team's gain at the same instant", () => {
    // At 10 s a has 35 device-seconds waiting and b 30; u1 goes first by its tier and leaves a with 15.
    const text = `2 gpus
      team a
      team b
      team c
      0s X x2 10s limit 10s team c
      1s y1 x1 30s limit 30s tier 2 team b user y
      2s u1 x1 20s limit 20s tier 0 team a user u
      3s v1 x1 15s limit 15s tier 2 team a user v`;
    const settings = { order: "fairTree", tiersFirst: true, halfLifeMs: 0, queuedWeight: 1 };
    expect(starts(settings, text)).toMatchObject({ u1: 10, v1: 10, y1: 25 });
  });

  test("what runs in a tier with factor 0 is not held against anybody", () => {
    const text = (factor: number): string => `16 gpus
      tier 3 factor ${factor}
      team u
      team v
      0s U0 x16 48s tier 3 team u
      10s U1 x16 10s tier 2 team u
      20s V1 x16 10s tier 2 team v`;
    const settings = { order: "fairShare", halfLifeMs: 0 };
    expect(starts(settings, text(1))).toEqual({ U0: 0, V1: 48, U1: 58 });
    expect(starts(settings, text(0))).toEqual({ U0: 0, U1: 48, V1: 58 });
  });

  test("Fair Tree lets no user of the team that used more pass one of the other, the classic formula among all users does", () => {
    const text = `4 gpus
      team a
      team b
      0s ah x3 10s team a user heavyA
      0s bh x1 10s team b user heavyB
      1s ai x4 10s team a user idleA
      2s bx x4 10s team b user heavyB`;
    expect(starts({ order: "fairTree", halfLifeMs: 0 }, text)).toMatchObject({ bx: 10, ai: 20 });
    expect(starts({ order: "fairShare", shareOf: "user", halfLifeMs: 0 }, text)).toMatchObject({
      ai: 10,
      bx: 20,
    });
  });

  test("a team counts what the teams below it used", () => {
    const text = `2 gpus
      team lab
      team left parent lab
      team right parent lab
      team other
      0s l0 x2 10s team left
      1s r1 x2 10s team right
      2s o1 x2 10s team other`;
    expect(starts({ order: "fairTree", halfLifeMs: 0 }, text)).toEqual({ l0: 0, o1: 10, r1: 20 });
  });

  test("tiers share where they are named", () => {
    const text = `1 gpus
      0s a x1 10s tier 2
      1s b x1 10s tier 2
      2s c x1 10s tier 3`;
    expect(starts({ order: "fairShare", shareOf: "tier", halfLifeMs: 0 }, text)).toEqual({
      a: 0,
      c: 10,
      b: 20,
    });
  });
});

describe("what is held", () => {
  test("dominant shares: the example of Ghodsi et al., 9 CPUs and 18 GiB", () => {
    // A asks for ⟨1 CPU, 4 GiB⟩ a job, B for ⟨3 CPUs, 1 GiB⟩: A runs three, B two; both have a dominant share of 2/3.
    const text = `1 node x 8 gpus 9 cpus 18 mem
      team a
      team b
      ${many(6, (i) => `0s a${i} 1*0 10s cpus 1 mem 4 team a`)}
      ${many(6, (i) => `0s b${i} 1*0 10s cpus 3 mem 1 team b`)}`;
    const found = starts({ order: "drf" }, text);
    const running = Object.entries(found).filter(([, start]) => start === 0);
    expect(running.map(([name]) => name).sort()).toEqual(["a0", "a1", "a2", "b0", "b1"]);
  });
  test("weights: a team with twice the shares gets twice the devices", () => {
    const text = `6 gpus
      team a shares 2
      team b
      ${many(6, (i) => `0s a${i} x1 10s team a`)}
      ${many(6, (i) => `0s b${i} x1 10s team b`)}`;
    const found = starts({ order: "maxMin" }, text);
    const running = Object.entries(found).filter(([, start]) => start === 0);
    expect(
      running
        .map(([name]) => name[0])
        .sort()
        .join(""),
    ).toBe("aaaabb");
  });
});
