import { beforeEach, expect, test } from "vitest";
import {
  giveAllBack,
  giveBack,
  giveKeys,
  readKeys,
  switchSingles,
  useKeys,
  withOwnKeys,
} from "../../src/app/keyBindings.ts";

const actions = [
  { id: "play", keys: ["Space"] },
  { id: "job", keys: ["J"] },
  { id: "policy", keys: ["P", "Mod+P"] },
];
const keys = () => Object.fromEntries(withOwnKeys(actions).map((one) => [one.id, one.keys]));

beforeEach(() => {
  giveAllBack();
  switchSingles(true);
});

test("an own key is taken from whatever else had it, and given back with it", () => {
  giveKeys("job", ["P"]);
  expect(keys()).toEqual({ play: ["Space"], job: ["P"], policy: ["Mod+P"] });
  giveKeys("play", ["P"]);
  expect(keys()).toEqual({ play: ["P"], job: [], policy: ["Mod+P"] });
  giveBack("play");
  expect(keys()).toEqual({ play: ["Space"], job: [], policy: ["P", "Mod+P"] });
  giveBack("job");
  expect(keys()).toEqual({ play: ["Space"], job: ["J"], policy: ["P", "Mod+P"] });
});

test("no choice of keys gives one press two meanings", () => {
  for (const [id, chord] of [
    ["job", "Space"],
    ["policy", "J"],
    ["play", "J"],
    ["job", "Mod+P"],
  ] as const) {
    giveKeys(id, [chord]);
    const all = withOwnKeys(actions).flatMap((one) => one.keys);
    expect(new Set(all).size).toBe(all.length);
  }
});

test("all keys as they came leaves the switch for single keys alone", () => {
  switchSingles(false);
  giveKeys("job", ["K"]);
  giveAllBack();
  expect(useKeys.getState()).toEqual({ own: {}, singles: false });
});

test("what the device kept is read; what is no choice of keys counts as nothing", () => {
  expect(readKeys('{"own":{"job":["K"]},"singles":false}')).toEqual({
    own: { job: ["K"] },
    singles: false,
  });
  for (const text of [null, "", "no", "7", "null", '{"own":{"job":"K","play":[3]}}'])
    expect(readKeys(text)).toEqual({ own: {}, singles: true });
});
