/** The YAML of a preset of the Kubernetes family in the policy editor: a fault is told with its line and stops nothing but applying; what is right is applied. */
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PolicyEditor } from "../../src/panels/inspector/policy/PolicyEditor.tsx";
import { libraryScenario } from "../../src/scenario/library/index.ts";
import { define } from "../../src/store/commands.ts";
import { useApp } from "../../src/store/store.ts";

interface Applied {
  readonly intervention: { readonly policy: { readonly preset: string; readonly yaml?: string } };
}
let applied: Applied | null = null;

beforeEach(() => {
  applied = null;
  define("intervene", {
    label: "Change",
    group: "edit",
    run: (args) => {
      applied = args as Applied;
    },
  });
  useApp.setState({ scenario: structuredClone(libraryScenario("why-waiting")!), cursorMs: 0 });
});
afterEach(cleanup);

const CLASS = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: high }
value: many
`;

test("a fault has its line; put right, the text goes into the policy", async () => {
  render(<PolicyEditor />);
  fireEvent.change(screen.getByLabelText("Scheduler"), { target: { value: "kube-scheduler" } });
  const text = screen.getByLabelText<HTMLTextAreaElement>("YAML of the policy");
  fireEvent.change(text, { target: { value: CLASS } });
  await waitFor(() => expect(screen.getByRole("button", { name: "Line 4" })).toBeTruthy());
  expect(screen.getByRole("button", { name: /^Apply from/ }).ariaDisabled).toBe("true");
  const right = CLASS.replace("many", "1000");
  fireEvent.change(text, { target: { value: right } });
  await waitFor(() => expect(screen.queryByRole("button", { name: "Line 4" })).toBeNull());
  expect(screen.getByLabelText("What will change").textContent).toMatch(/YAML: none → 4\slines/);
  fireEvent.click(screen.getByRole("button", { name: /^Apply from/ }));
  expect(applied?.intervention.policy).toEqual({
    preset: "kube-scheduler",
    settings: {},
    yaml: right,
  });
});
