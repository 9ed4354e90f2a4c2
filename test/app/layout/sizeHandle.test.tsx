import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { SizeHandle } from "../../../src/app/layout/SizeHandle.tsx";
import { PARTS, resetLayout } from "../../../src/store/layout.ts";

const USUAL_PX = 336;
const { leastPx: LEAST_PX, mostPx: MOST_PX } = PARTS.inspector;
const own = () =>
  document.querySelector<HTMLElement>(".app")?.style.getPropertyValue("--inspector-own");

function show(): HTMLElement {
  render(
    <div className="app">
      <aside>
        <SizeHandle part="inspector" label="Width of the inspector" across />
      </aside>
    </div>,
  );
  return screen.getByRole("separator", { name: "Width of the inspector" });
}

beforeEach(() => {
  localStorage.clear();
  resetLayout();
  // The column is as wide as the page's style says.
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockImplementation(() =>
    Number.parseInt(own() || String(USUAL_PX), 10),
  );
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

describe("the width of the inspector", () => {
  test("is changed with arrow keys, told as a value, and there again after a reload", async () => {
    const handle = show();
    expect(handle.getAttribute("aria-valuenow")).toBe(String(USUAL_PX));
    handle.focus();
    await userEvent.keyboard("{ArrowLeft}{ArrowLeft}{ArrowRight}");
    expect(own()).toBe(`${USUAL_PX + 16}px`);
    expect(handle.getAttribute("aria-valuenow")).toBe(String(USUAL_PX + 16));
    cleanup();
    show();
    expect(own()).toBe(`${USUAL_PX + 16}px`);
  });

  test("stays between its bounds, and Enter brings the usual one back for good", async () => {
    const handle = show();
    handle.focus();
    await userEvent.keyboard("{End}{ArrowLeft}");
    expect(own()).toBe(`${MOST_PX}px`);
    await userEvent.keyboard("{Home}{ArrowRight}");
    expect(own()).toBe(`${LEAST_PX}px`);
    await userEvent.keyboard("{Enter}");
    expect(own()).toBe("");
    cleanup();
    show();
    expect(own()).toBe("");
  });

  test("follows a drag, and a click without one leaves no width behind", () => {
    const handle = show();
    handle.setPointerCapture = () => undefined;
    fireEvent.pointerDown(handle, { button: 0, clientX: 900, pointerId: 1 });
    fireEvent.pointerUp(handle, { clientX: 900, pointerId: 1 });
    expect(own()).toBe("");
    fireEvent.pointerDown(handle, { button: 0, clientX: 900, pointerId: 1 });
    fireEvent.pointerMove(handle, { clientX: 860, pointerId: 1 });
    fireEvent.pointerUp(handle, { clientX: 860, pointerId: 1 });
    expect(own()).toBe(`${USUAL_PX + 40}px`);
    expect(localStorage.getItem("queuescope.inspectorWidth")).toBe(String(USUAL_PX + 40));
  });

  test("a strip is made higher with the arrow that moves its line up", async () => {
    render(
      <div className="app">
        <div>
          <SizeHandle part="queues" label="Height of the queues" />
        </div>
      </div>,
    );
    const height = () =>
      document.querySelector<HTMLElement>(".app")?.style.getPropertyValue("--queues-own");
    vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockImplementation(() =>
      Number.parseInt(height() || "156", 10),
    );
    screen.getByRole("separator", { name: "Height of the queues" }).focus();
    await userEvent.keyboard("{ArrowUp}{ArrowUp}{ArrowDown}");
    expect(height()).toBe("172px");
    expect(localStorage.getItem("queuescope.queuesHeight")).toBe("172");
    await userEvent.keyboard("{Enter}");
    expect(height()).toBe("");
    expect(localStorage.getItem("queuescope.queuesHeight")).toBeNull();
  });
});
