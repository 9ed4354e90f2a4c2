/**
 * The schedules drawn in `docs/policies/`: a fenced block `schedule` with settings, a world as text, a line `---`, and the
 * drawing. A job without a time limit in the text has its work as its limit.
 */

import type { PoolSettings, SettingValue } from "../../src/model/policy.ts";
import { presetOf } from "../../src/scenario/settings.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { draw, runWorld } from "../support/draw.ts";
import { isTenancyText, tenancyWorld } from "../support/tenancyWorld.ts";
import { worldFromText } from "../support/world.ts";

export interface DrawnSchedule {
  readonly title: string;
  readonly settings: Readonly<Record<string, SettingValue>>;
  readonly world: string;
  readonly drawing: string;
}

/** The defaults of the lab, without backfill: a drawing names what it is about. */
const STANDARD: Readonly<Record<string, SettingValue>> = {
  ...Object.fromEntries(presetOf("lab")!.settings.map(({ key, standard }) => [key, standard])),
  backfill: "none",
};

/** All schedules of a document, each titled by the line before its block. */
export function schedulesIn(markdown: string): DrawnSchedule[] {
  const blocks = markdown.matchAll(
    /([^\n]*)\n+```schedule([^\n]*)\n([\s\S]*?)\n---\n([\s\S]*?)\n```/g,
  );
  return [...blocks].map(([, title, words, world, drawing]) => ({
    title: title!.trim(),
    settings: Object.fromEntries(
      words!
        .trim()
        .split(/\s+/)
        .map((word) => word.split("="))
        .map(([key, value]) => [
          key!,
          value === "true" ? true : value === "false" ? false : value!,
        ]),
    ),
    world: world!,
    drawing: drawing!,
  }));
}

export function labPool(settings: Readonly<Record<string, SettingValue>>): PoolSettings {
  return { preset: "lab", settings: { ...STANDARD, ...settings } };
}

export function drawSchedule(schedule: DrawnSchedule): string {
  const text = schedule.world
    .split("\n")
    .map((line, i) =>
      i === 0 || line.includes("!") || line.includes("limit") ? line : withLimit(line),
    )
    .join("\n");
  const pools = [labPool(schedule.settings)];
  const world = isTenancyText(text)
    ? tenancyWorld(text, { pools })
    : worldFromText(text, { pools });
  return draw(runWorld(world, schedulerOf));
}

function withLimit(line: string): string {
  return `${line} limit ${line.trim().split(/\s+/)[3]}`;
}
