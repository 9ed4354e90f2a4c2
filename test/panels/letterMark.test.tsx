import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { LetterMark } from "../../src/ui/LetterMark.tsx";

const positionsOf = (tierCount: number) =>
  Array.from({ length: tierCount }, (_, tier) => {
    const { container } = render(<LetterMark letter="x" tier={tier} tierCount={tierCount} />);
    return Number(container.querySelector("[data-position]")?.getAttribute("data-position"));
  });

test("up to six tiers each mark has a colour of its own", () => {
  expect(positionsOf(6)).toEqual([1, 2, 3, 4, 5, 6]);
});

test("of twelve tiers two neighbours share the colour that their bars share", () => {
  expect(positionsOf(12)).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
});
