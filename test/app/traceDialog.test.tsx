import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { Dialogs } from "../../src/app/dialogs/Dialogs.tsx";
import { closeDialog, showDialog, useShell } from "../../src/store/shellState.ts";
import { mustRead } from "../scenario/scenarios.ts";

afterEach(() => {
  cleanup();
  closeDialog();
});

function openDialog(): void {
  showDialog({
    kind: "trace",
    trace: {
      kind: "read",
      name: "log.csv",
      sha256: "0".repeat(64),
      bytes: 10,
      format: "itp-raw",
      jobs: 3,
      largest: 8,
      users: [],
      notes: [],
      suggested: mustRead({
        version: 1,
        cluster: { nodeGroups: [{ id: "gpu", count: 4, gpus: 8 }] },
      }),
    },
  });
  render(<Dialogs />);
}
const type = (label: string, text: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } });

test("more GPUs than a run may have are refused beside the field, and what was typed stays", () => {
  openDialog();
  type("Nodes", "16000");
  type("GPUs a node", "9");
  expect(screen.getByRole("alert").textContent).toMatch(/144.000.GPUs in all; at most 65.536/);
  fireEvent.click(screen.getByRole("button", { name: "Open trace" }));
  expect(useShell.getState().dialog.kind).toBe("trace");
  expect(screen.getByLabelText<HTMLInputElement>("Nodes").value).toBe("16000");
  expect(document.activeElement).toBe(screen.getByLabelText("GPUs a node"));
});

test("a field that holds no value of it keeps the dialog open", () => {
  openDialog();
  type("Nodes", "many");
  fireEvent.click(screen.getByRole("button", { name: "Open trace" }));
  expect(useShell.getState().dialog.kind).toBe("trace");
  type("Nodes", "4");
  fireEvent.click(screen.getByRole("button", { name: "Open trace" }));
  expect(useShell.getState().dialog.kind).toBe("none");
});
