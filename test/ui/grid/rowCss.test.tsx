/** Rows of tables follow the pointer: dense for a mouse, 44 px for a finger. */
import { act, cleanup, render } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { useRowCss } from "../../../src/ui/grid/rowCss.ts";

function Row() {
  return <output>{useRowCss()}</output>;
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("a row is 24 px high, and 44 from when the pointer is a finger", () => {
  let tell: () => void = () => undefined;
  const query = {
    matches: false,
    addEventListener: (_: string, listener: () => void) => {
      tell = listener;
    },
    removeEventListener: () => undefined,
  };
  vi.stubGlobal("matchMedia", () => query);
  const { container } = render(<Row />);
  expect(container.textContent).toBe("24");
  query.matches = true;
  act(() => tell());
  expect(container.textContent).toBe("44");
});
