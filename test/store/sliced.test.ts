import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { runSliced } from "../../src/store/sliced.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Starts work on memory of its own; what is returned holds neither. */
function begin(shown: () => void): { stop: () => void; memory: WeakRef<object> } {
  const memory = new Float64Array(1_000);
  function* steps(): Generator<void, number> {
    for (let row = 0; row < memory.length; row++) memory[row] = row;
    yield;
    return memory.length;
  }
  return { stop: runSliced(steps(), shown), memory: new WeakRef(memory) };
}

test("what sliced work had in hand is free once its result is shown, whoever keeps the stop function", async () => {
  const { stop, memory } = await new Promise<ReturnType<typeof begin>>((resolve) => {
    const begun = begin(() => resolve(begun));
  });
  await new Promise((resolve) => setTimeout(resolve, 0));
  collect();
  expect(memory.deref()).toBeUndefined();
  stop();
});
