import { describe, expect, it } from "vitest";
import { onStart, onSubmit } from "../../../src/scheduling/limits/books.ts";
import { outOfBudget } from "../../../src/scheduling/limits/budget.ts";
import { booksOf, gpus, jobOf, type LimitWorld, MINUTE, NO_USAGE } from "./limitWorld.ts";

function stopped(world: LimitWorld, spentMin: number, count = 4): boolean {
  const books = booksOf(world);
  const job = jobOf("bob", { qos: (world.qos ?? []).length });
  onSubmit(books, job);
  onStart(books, job, gpus(count), 0);
  return outOfBudget(books, job, {
    ...NO_USAGE,
    qosTresMins: () => spentMin,
    assocTresMins: () => spentMin,
    assocWallMs: () => spentMin * MINUTE,
  });
}

describe("a running job", () => {
  it("is stopped once the minutes of its QOS or of an account above it are used up", () => {
    for (const world of [
      { qos: [{ name: "q", grpTresMins: { "gres/gpu": 10 } }] },
      { assoc: { physics: { grpTresMins: { "gres/gpu": 10 } } } },
      { assoc: { root: { grpWallMs: 10 * MINUTE } } },
    ]) {
      expect(stopped(world, 9.9)).toBe(false);
      expect(stopped(world, 10)).toBe(true);
    }
  });

  it("runs on where it uses nothing of the resource, where its QOS sets a budget of its own, and under safe", () => {
    const assoc = { physics: { grpTresMins: { "gres/gpu": 10 } } };
    expect(stopped({ assoc }, 10, 0)).toBe(false);
    expect(stopped({ assoc, qos: [{ name: "q", grpTresMins: { "gres/gpu": 99 } }] }, 10)).toBe(
      false,
    );
    expect(stopped({ assoc, enforce: { safe: true } }, 10)).toBe(false);
  });
});
