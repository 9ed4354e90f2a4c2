import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { TextEditor } from "../../src/panels/inspector/policy/slurm/TextEditor.tsx";

afterEach(cleanup);

const TEXT = Array.from({ length: 3_000 }, (_, at) => `line ${at + 1}`).join("\n");

function Editor({ onSubmit }: { onSubmit?: () => void }) {
  const [value, setValue] = useState(TEXT);
  return (
    <form onSubmit={onSubmit}>
      <TextEditor label="text" value={value} findings={[]} line={0} onChange={setValue} />
      <button type="button" onClick={() => setValue(TEXT)}>
        as before
      </button>
    </form>
  );
}

const area = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "text" });
const held = () => area().value.split("\n");

test("a long text that comes in place of nothing is held by some hundreds of lines", () => {
  render(<Editor />);
  fireEvent.keyDown(area(), { key: "a", ctrlKey: true });
  fireEvent.change(area(), { target: { value: "" } });
  expect(area().value).toBe("");
  fireEvent.click(screen.getByRole("button", { name: "as before" }));
  expect(held().length).toBeGreaterThanOrEqual(100);
});

test("where nearly all lines that are held are deleted, others come in their place", () => {
  render(<Editor />);
  fireEvent.change(area(), { target: { value: "rest" } });
  expect(held().length).toBeGreaterThanOrEqual(100);
  expect(held()).toContain("rest");
});

test("the cursor's keys lead out of the lines that are held, to the start and end of the text", () => {
  render(<Editor />);
  fireEvent.keyDown(area(), { key: "End", ctrlKey: true });
  expect(held()).toContain("line 3000");
  const from = Number(held()[0]?.slice("line ".length));
  area().setSelectionRange(0, 0);
  fireEvent.keyDown(area(), { key: "ArrowUp" });
  expect(held()).toContain(`line ${from - 1}`);
  fireEvent.keyDown(area(), { key: "Home", ctrlKey: true });
  expect(held()[0]).toBe("line 1");
  area().setSelectionRange(area().value.length, area().value.length);
  fireEvent.keyDown(area(), { key: "PageDown" });
  expect(held()).toContain("line 501");
});

test.each(["-3", "", "7 000", "12"])("Enter at line “%s” sends no form", (line) => {
  const onSubmit = vi.fn();
  render(<Editor onSubmit={onSubmit} />);
  const field = screen.getByRole("textbox", { name: "Go to line" });
  fireEvent.change(field, { target: { value: line } });
  expect(fireEvent.keyDown(field, { key: "Enter" })).toBe(false);
});
