import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { DropZone } from "../../src/app/DropZone.tsx";
import { showDialog, useShell } from "../../src/store/shellState.ts";
import { useApp } from "../../src/store/store.ts";

afterEach(() => {
  cleanup();
  useApp.setState({ notice: null });
  useShell.setState({ dialog: { kind: "none" }, banner: null });
});

const notice = () => useApp.getState().notice?.text ?? "";
const fileItem = (name: string, isDirectory: boolean) => ({
  kind: "file",
  webkitGetAsEntry: () => ({ name, isDirectory }),
});
const dropped = (
  files: File[],
  items: object[] = files.map((file) => fileItem(file.name, false)),
) => ({
  dataTransfer: {
    types: files.length + items.length > 0 ? ["Files"] : ["text/plain"],
    files,
    items,
  },
});

describe("what is dropped on the page", () => {
  test("a folder is named as one, and an open dialog stays", () => {
    render(<DropZone />);
    showDialog({ kind: "help" });
    fireEvent.drop(document.body, dropped([new File([], "logs")], [fileItem("logs", true)]));
    expect(notice()).toMatch(/^logs is a folder/);
    expect(useShell.getState().dialog.kind).toBe("help");
  });

  test("text is refused in words and the browser does not go anywhere", () => {
    render(<DropZone />);
    expect(fireEvent.drop(document.body, dropped([]))).toBe(false);
    expect(notice()).toMatch(/Only files/);
  });

  test("text for a text field is the field's own", () => {
    render(
      <>
        <DropZone />
        <input aria-label="name" />
      </>,
    );
    expect(fireEvent.drop(screen.getByRole("textbox"), dropped([]))).toBe(true);
    expect(notice()).toBe("");
  });

  test("of two files the first is taken and the other is named; a dialog gives way", async () => {
    render(<DropZone />);
    showDialog({ kind: "library" });
    const files = [new File(["; a log"], "a.swf"), new File(["; a log"], "b.swf")];
    fireEvent.drop(document.body, dropped(files));
    expect(useShell.getState().dialog.kind).toBe("none");
    await expect.poll(notice).toBe("Reading a.swf. One file at a time: b.swf was not opened.");
  });
});
