/** Slurm's settings in the policy editor: form and text are one, and nothing that is typed is lost. */
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PolicyEditor } from "../../src/panels/inspector/policy/PolicyEditor.tsx";
import { libraryScenario } from "../../src/scenario/library/index.ts";
import { define } from "../../src/store/commands.ts";
import { useApp } from "../../src/store/store.ts";

interface Applied {
  readonly intervention: { readonly policy: { readonly slurm?: { readonly conf: string } } };
  readonly label: string;
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

function chooseSlurm(): void {
  render(<PolicyEditor />);
  fireEvent.change(screen.getByLabelText("Scheduler"), { target: { value: "slurm" } });
}
const find = (words: string) =>
  fireEvent.change(screen.getByLabelText("Find a setting"), { target: { value: words } });
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const type = (element: HTMLElement, text: string) =>
  fireEvent.change(element, { target: { value: text } });

describe("the form", () => {
  test("starts from what the scenario says, and its preview names parameters from → to", () => {
    chooseSlurm();
    find("bf_interval");
    expect(field("bf_interval").value).toBe("30");
    type(field("bf_interval"), "10");
    const preview = screen.getByLabelText("What will change");
    expect(preview.textContent).toContain("bf_interval: 30 → 10");
    expect(preview.textContent).toContain("Policy lab → Slurm");
    fireEvent.click(screen.getByRole("button", { name: /^Apply from/ }));
    expect(applied?.intervention.policy.slurm?.conf).toContain("bf_interval=10");
    expect(applied?.label).toContain("bf_interval: 10");
  });

  test("marks what differs from Slurm's default and takes it back", () => {
    chooseSlurm();
    find("PriorityWeightAge");
    expect(field("PriorityWeightAge").closest("[data-changed]")).not.toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Reset PriorityWeightAge" }));
    expect(field("PriorityWeightAge").value).toBe("");
    expect(field("PriorityWeightAge").closest("[data-changed]")).toBeNull();
  });

  test("says what is wrong with a value, keeps it, and does not apply it", async () => {
    chooseSlurm();
    find("bf_window");
    type(field("bf_window"), "soon");
    expect(field("bf_window").value).toBe("soon");
    expect(screen.getByRole("alert").textContent).toMatch(/"soon": Use a whole number/);
    await waitFor(() =>
      expect(screen.getByRole("button", { name: /^Apply from/ }).ariaDisabled).toBe("true"),
    );
    fireEvent.click(screen.getByRole("button", { name: /^Apply from/ }));
    expect(applied).toBeNull();
  });

  test("finds by what a setting does, links to the manual, and shows only what is changed", () => {
    chooseSlurm();
    find("youngest");
    expect(screen.getByLabelText("preempt_youngest_first")).toBeTruthy();
    const link = screen.getByRole<HTMLAnchorElement>("link", { name: /preempt_youngest_first/ });
    expect(link.href).toContain("slurm.conf.html#");
    expect(link.rel).toContain("noopener");
    find("");
    fireEvent.click(screen.getByLabelText("Only what is changed"));
    expect(screen.getByLabelText("PriorityWeightQOS")).toBeTruthy();
    expect(screen.queryByLabelText("KillWait")).toBeNull();
  });

  test("has a card for each partition and QOS, and adds one", () => {
    chooseSlurm();
    fireEvent.click(screen.getByText("QOS", { selector: "summary" }));
    fireEvent(screen.getByText("QOS", { selector: "summary" }).parentElement!, new Event("toggle"));
    const cards = document.querySelectorAll(".slurm-card summary code");
    expect([...cards].map((card) => card.textContent)).toContain("high");
    type(screen.getByLabelText("Add a QOS"), "urgent");
    fireEvent.click(screen.getByRole("button", { name: "Add QOS" }));
    expect(screen.getByLabelText("What will change").textContent).toContain(
      "QOS urgent: not there → with its defaults",
    );
  });
});

describe("beside the text", () => {
  function openSheet(): HTMLElement {
    fireEvent.click(screen.getByRole("button", { name: "Form and text side by side" }));
    return screen.getByRole("dialog");
  }

  test("a change in either stands in both, comments stay, and undo is about both", () => {
    chooseSlurm();
    const sheet = within(openSheet());
    const text = sheet.getByLabelText<HTMLTextAreaElement>("Text of slurm.conf");
    type(sheet.getByLabelText("Find a setting"), "bf_interval");
    const input = sheet.getByLabelText<HTMLInputElement>("bf_interval");
    type(input, "15");
    expect(text.value).toContain("bf_interval=15,bf_window");
    expect(text.value).toContain("# The backfill scheduler");
    type(text, text.value.replace("bf_interval=15", "bf_interval=45"));
    expect(input.value).toBe("45");
    fireEvent.keyDown(text, { key: "z", ctrlKey: true });
    expect(text.value).toContain("bf_interval=15");
    fireEvent.keyDown(input, { key: "z", ctrlKey: true });
    expect(input.value).toBe("30");
    fireEvent.keyDown(input, { key: "z", ctrlKey: true, shiftKey: true });
    expect(input.value).toBe("15");
  });

  test("a line that is wrong, and one that is not modelled, are told by their number", async () => {
    chooseSlurm();
    const sheet = within(openSheet());
    const text = sheet.getByLabelText<HTMLTextAreaElement>("Text of slurm.conf");
    type(text, "Licenses=matlab:3\nKillWait=never\n");
    await waitFor(() => expect(sheet.getByText("line 2")).toBeTruthy());
    expect(sheet.getByLabelText("What is said of the lines").textContent).toContain("KillWait");
    type(text, "Licenses=matlab:3\nKillWait=5\n");
    await waitFor(() => expect(sheet.getByText("– not modelled")).toBeTruthy());
  });

  test("Escape closes it, the edits stay in the panel, and come back after the editor was closed", () => {
    chooseSlurm();
    const sheet = openSheet();
    type(
      within(sheet).getByLabelText("Text of slurm.conf"),
      "SchedulerParameters=bf_interval=7\n# mine\n",
    );
    fireEvent.keyDown(sheet, { key: "Escape" });
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.getByLabelText("What will change").textContent).toContain("bf_interval: 30 → 7");
    cleanup();
    render(<PolicyEditor />);
    expect(screen.getByText(/not applied are back/)).toBeTruthy();
    find("bf_interval");
    expect(field("bf_interval").value).toBe("7");
    fireEvent.click(screen.getByRole("button", { name: "Discard them" }));
    expect(screen.getByLabelText<HTMLSelectElement>("Scheduler").value).toBe("lab");
  });
});
