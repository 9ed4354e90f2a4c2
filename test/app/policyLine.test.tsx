import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { PolicyLine } from "../../src/app/topbar/PolicyLine.tsx";
import { libraryScenario } from "../../src/scenario/library/index.ts";
import { useApp } from "../../src/store/store.ts";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  useApp.setState({ scenario: null });
});

test("where the button takes all the room from the parts that it counts, it stays: they are hidden", () => {
  let resized: (() => void) | undefined;
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(told: () => void) {
        resized = told;
      }
      observe = vi.fn();
      disconnect = vi.fn();
    },
  );
  // Each part has a line of its own until the button is there, which leaves no width: then all stand in one.
  const isThere = () => document.querySelector(".policy-more") !== null;
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockImplementation(() =>
    isThere() ? 0 : 10,
  );
  vi.spyOn(HTMLElement.prototype, "offsetTop", "get").mockImplementation(function (
    this: HTMLElement,
  ) {
    return isThere() ? 0 : [...(this.parentElement?.children ?? [])].indexOf(this) * 10;
  });
  useApp.setState({ scenario: libraryScenario("why-waiting")! });
  render(<PolicyLine />);
  expect(screen.getByRole("button", { name: /more/ })).toBeTruthy();
  act(() => resized?.());
  expect(screen.getByRole("button", { name: /more/ })).toBeTruthy();
});
