/** The YAML of a preset of the Kubernetes family in the policy editor: a fault is told with its line and stops nothing but applying; what is right is applied. */
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PolicyEditor } from "../../src/panels/inspector/policy/PolicyEditor.tsx";
import { libraryScenario } from "../../src/scenario/library/index.ts";
import { define } from "../../src/store/commands.ts";
import { connectExplain } from "../../src/store/explain.ts";
import { useApp } from "../../src/store/store.ts";
import { readYamlText } from "../../src/worker/yamlText.ts";

interface Applied {
  readonly intervention: { readonly policy: { readonly preset: string; readonly yaml?: string } };
}
let applied: Applied | null = null;

const asked: string[] = [];

beforeEach(() => {
  applied = null;
  asked.length = 0;
  connectExplain({
    explain: () => Promise.resolve(null),
    readYaml: (text, withForm) => {
      asked.push(text);
      return Promise.resolve(readYamlText(text, withForm));
    },
  });
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

const QUEUE = `# Ours.
apiVersion: scheduling.run.ai/v2
kind: Queue
metadata:
  name: red
spec:
  priority: 100 # as all
`;

async function withKai(): Promise<HTMLTextAreaElement> {
  render(<PolicyEditor />);
  fireEvent.change(screen.getByLabelText("Scheduler"), { target: { value: "kai" } });
  const text = screen.getByLabelText<HTMLTextAreaElement>("YAML of the policy");
  fireEvent.change(text, { target: { value: QUEUE } });
  await waitFor(() => expect(screen.getByText("Queue red")).toBeTruthy());
  const card = screen.getByText("Queue red").closest("details")!;
  card.open = true;
  fireEvent(card, new Event("toggle"));
  await waitFor(() => expect(screen.getByLabelText("Priority")).toBeTruthy());
  return text;
}

const priority = () => screen.getByLabelText<HTMLInputElement>("Priority");

test("a field edits the text in place, and a key in the text is in the field", async () => {
  const text = await withKai();
  fireEvent.change(priority(), { target: { value: "250" } });
  expect(text.value).toBe(QUEUE.replace("100 # as all", "250 # as all"));
  fireEvent.change(text, { target: { value: QUEUE.replace("100", "7") } });
  expect(priority().value).toBe("7");
  fireEvent.change(screen.getByLabelText("GPUs: quota"), { target: { value: "8" } });
  expect(text.value).toBe(`${QUEUE.replace("100", "7")}  resources:\n    gpu:\n      quota: 8\n`);
});

test("what is no value stays in its field, with what is wrong, and the text as it is", async () => {
  const text = await withKai();
  fireEvent.change(priority(), { target: { value: "high" } });
  expect(priority().value).toBe("high");
  expect(screen.getByRole("alert").textContent).toBe("Type a whole number.");
  expect(text.value).toBe(QUEUE);
});

test("while the text is no YAML the form waits at what it said last", async () => {
  const text = await withKai();
  fireEvent.change(text, { target: { value: QUEUE.replace("name: red", "name: [red") } });
  expect(priority().value).toBe("100");
  expect(priority().closest("fieldset")!.disabled).toBe(true);
  expect(screen.getByText(/is no YAML as it stands/)).toBeTruthy();
  await waitFor(() => expect(screen.getByRole("button", { name: /^Line \d/ })).toBeTruthy());
  fireEvent.change(text, { target: { value: QUEUE.replace("red", "blue") } });
  expect(screen.getByText("Queue blue")).toBeTruthy();
  expect(priority().closest("fieldset")!.disabled).toBe(false);
});

test("an object is added and removed, and Ctrl+Z takes both back", async () => {
  const text = await withKai();
  fireEvent.click(screen.getByRole("button", { name: "Add Queue" }));
  expect(screen.getByText("Queue queue")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Remove Queue red" }));
  expect(text.value).toMatch(/^apiVersion: scheduling.run.ai/);
  expect(text.value).toContain("name: queue");
  expect(text.value).not.toContain("red");
  fireEvent.keyDown(text, { key: "z", ctrlKey: true });
  fireEvent.keyDown(text, { key: "z", ctrlKey: true });
  expect(text.value).toBe(QUEUE);
});

const many = (count: number) =>
  Array.from({ length: count }, (_, i) => QUEUE.replace("red", `q${i}`)).join("---\n");

test("a text of many objects is read once the keys rest, and a field edits its own object", async () => {
  const text = await withKai();
  const long = many(120);
  fireEvent.change(text, { target: { value: `${long}#` } });
  fireEvent.change(text, { target: { value: long } });
  expect(screen.getByText("Reading the text …")).toBeTruthy();
  await waitFor(() => expect(screen.getByText("Queue q119")).toBeTruthy());
  expect(asked.filter((one) => one.length > 8_000)).toEqual([long]);
  const card = screen.getByText("Queue q7").closest("details")!;
  card.open = true;
  fireEvent(card, new Event("toggle"));
  const field = await waitFor(() => within(card).getByLabelText<HTMLInputElement>("Priority"));
  fireEvent.change(field, { target: { value: "1" } });
  fireEvent.change(field, { target: { value: "12" } });
  expect(field.value).toBe("12");
  const next = long.replace(/(name: q7\n(?:.*\n)*?.*priority: )100/, "$112");
  expect(text.value).toBe(next);
  await waitFor(() => expect(asked.at(-1)).toBe(next));
  await waitFor(() => expect(screen.queryByText("Reading the text …")).toBeNull());
  expect(field.value).toBe("12");
});

test("of 100,000 lines the editor holds some hundreds, and Ctrl+A with a paste replaces all of them", async () => {
  const text = await withKai();
  const long = `${QUEUE}${"# x\n".repeat(100_000)}`;
  const paste = (value: string) =>
    fireEvent.paste(text, { clipboardData: { getData: () => value } });
  fireEvent.keyDown(text, { key: "a", ctrlKey: true });
  text.setSelectionRange(0, text.value.length);
  paste(long);
  expect(text.value.length).toBeLessThan(4_000);
  expect(screen.getByText(/^Lines .* of 100\s00\d$/)).toBeTruthy();
  expect(screen.getByText("The text is too long for a form: it is edited as text.")).toBeTruthy();
  const line = screen.getByLabelText("Go to line");
  fireEvent.change(line, { target: { value: "7" } });
  fireEvent.keyDown(line, { key: "Enter" });
  expect(text.value).toContain("priority: 100 # as all");
  fireEvent.change(text, { target: { value: text.value.replace("100 #", "many #") } });
  await waitFor(() => expect(screen.getByRole("button", { name: "Line 7" })).toBeTruthy());
  fireEvent.keyDown(text, { key: "a", ctrlKey: true });
  expect(screen.getByText(/^All 100\s008 lines are selected/)).toBeTruthy();
  paste(QUEUE);
  expect(text.value).toBe(QUEUE);
});

test("levels, members and labels are edited in the form, and stand in the text", async () => {
  render(<PolicyEditor />);
  const add = (kind: string) => {
    const more = screen.getByLabelText<HTMLSelectElement>("One more object");
    const at = [...more.options].findIndex((option) => option.textContent === kind);
    fireEvent.change(more, { target: { value: String(at) } });
    fireEvent.click(screen.getByRole("button", { name: `Add ${kind}` }));
  };
  const opened = async (title: string) => {
    const card = screen.getByText(title).closest("details")!;
    card.open = true;
    fireEvent(card, new Event("toggle"));
    return within(
      await waitFor(() => within(card).getByRole("button", { name: `Remove ${title}` })).then(
        () => card,
      ),
    );
  };
  fireEvent.change(screen.getByLabelText("Scheduler"), { target: { value: "kueue" } });
  await waitFor(() => expect(screen.getByLabelText("One more object")).toBeTruthy());
  const text = screen.getByLabelText<HTMLTextAreaElement>("YAML of the policy");
  add("Topology");
  const topology = await opened("Topology racks");
  fireEvent.click(topology.getByRole("button", { name: "Remove level 2 of Topology racks" }));
  expect(text.value).toMatch(/levels:\n {4}- nodeLabel: \S+\n$/);
  fireEvent.click(topology.getByRole("button", { name: "Add level to Topology racks" }));
  expect(text.value).toMatch(/levels:\n {4}- nodeLabel: \S+\/zone\n {4}- nodeLabel: \S+\/rack\n$/);
  add("PodDisruptionBudget");
  const budget = await opened("PodDisruptionBudget budget");
  const labels = () => budget.getByLabelText<HTMLInputElement>("Pods with labels");
  fireEvent.change(labels(), { target: { value: "app=web, tier" } });
  expect(budget.getByRole("alert").textContent).toBe("Type name=value, and a comma between two.");
  fireEvent.change(labels(), { target: { value: "app=web, tier=front" } });
  expect(text.value).toContain("matchLabels: { app: web, tier: front }");
  // What is typed keeps its order, whatever that of the text is.
  fireEvent.change(labels(), { target: { value: "tier=front, app=shop" } });
  expect(text.value).toContain("matchLabels: { app: shop, tier: front }");
  expect(labels().value).toBe("tier=front, app=shop");
  fireEvent.change(labels(), { target: { value: "" } });
  expect(text.value).toContain("matchLabels: {}");
});

test("an object that only another preset reads is told so, and can be applied all the same", async () => {
  await withKai();
  const text = screen.getByLabelText<HTMLTextAreaElement>("YAML of the policy");
  fireEvent.change(text, { target: { value: `${QUEUE}---\n${CLASS.replace("many", "1")}` } });
  await waitFor(() => expect(screen.getByText("PriorityClass")).toBeTruthy());
  expect(screen.queryByText(/has no effect/)).toBeNull();
  const foreign = QUEUE.replace("scheduling.run.ai/v2", "scheduling.volcano.sh/v1beta1").replace(
    "priority: 100",
    "weight: 3",
  );
  fireEvent.change(text, { target: { value: foreign } });
  await waitFor(() =>
    expect(
      screen.getByText(/kind Queue has no effect: the preset "kai" does not read it, only volcano/),
    ).toBeTruthy(),
  );
  expect(screen.getByRole("button", { name: /^Apply from/ }).ariaDisabled).not.toBe("true");
});

test("a text that is too long for a form says too which objects another preset reads", async () => {
  const text = await withKai();
  const priority =
    "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: 9\n";
  const queue = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: any}\n";
  fireEvent.keyDown(text, { key: "a", ctrlKey: true });
  text.setSelectionRange(0, text.value.length);
  const long = [priority, "# x\n".repeat(20_000), queue].join("---\n");
  fireEvent.paste(text, { clipboardData: { getData: () => long } });
  expect(
    await screen.findByText(
      'The object of the kind ResourceFlavor has no effect: the preset "kai" does not read it, only kueue.',
    ),
  ).toBeTruthy();
});

const POLICY = `apiVersion: descheduler/v1alpha2
kind: DeschedulerPolicy
profiles:
  - name: even
    plugins: { balance: { enabled: [LowNodeUtilization] } }
`;

test("a threshold of the descheduler says what it is of, and what holds without it; words of the lab’s settings stay with the lab", async () => {
  render(<PolicyEditor />);
  const search = () => screen.getByLabelText<HTMLInputElement>("Find a setting").placeholder;
  expect(search()).toContain("Tiresias");
  fireEvent.change(screen.getByLabelText("Scheduler"), { target: { value: "kube-scheduler" } });
  expect(search()).toBe("");
  const text = screen.getByLabelText("YAML of the policy");
  fireEvent.change(text, { target: { value: POLICY } });
  await waitFor(() =>
    expect(screen.getByText("DeschedulerPolicy", { selector: "code" })).toBeTruthy(),
  );
  const card = screen.getByText("DeschedulerPolicy", { selector: "code" }).closest("details")!;
  card.open = true;
  fireEvent(card, new Event("toggle"));
  await waitFor(() => expect(screen.getByLabelText("Below class")).toBeTruthy());
  expect(card.querySelector("summary")?.textContent).toContain("even: runs LowNodeUtilization");
  const words = card.textContent ?? "";
  expect(words).toContain(
    "What pods ask for, in per cent of the node’s memory. Not in the text: not looked at.",
  );
  expect(words).toContain("The same by a PriorityClass, where no value is given. Not in the text.");
  expect(words).not.toContain("not said");
});

const GROUPS = `apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: a}
spec:
  resourceGroups:
    - coveredResources: [cpu]
      flavors: [{name: f, resources: [{name: cpu, nominalQuota: 8}]}]
`;

test("what is said to change is what the text changes now, also after two lines of one name", async () => {
  const scenario = structuredClone(libraryScenario("kueue-bin-packing")!);
  scenario.pools[0]!.policy.yaml = GROUPS;
  useApp.setState({ scenario, cursorMs: 0 });
  render(<PolicyEditor />);
  const text = screen.getByLabelText<HTMLTextAreaElement>("YAML of the policy");
  const told = () => screen.getByLabelText("What will change").textContent;
  fireEvent.change(text, { target: { value: GROUPS.replace("spec:", "sepc:") } });
  await waitFor(() => expect(told()).toContain("coveredResources: [cpu] → not set"));
  fireEvent.change(text, { target: { value: GROUPS.replace("8}", "9}") } });
  await waitFor(() => expect(told()).toContain("8 → 9"));
  expect(told()).not.toContain("not set");
});
