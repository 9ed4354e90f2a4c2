/** Puts things into files of the reader's: the scenario, a picture, a table. */
import { canonicalJson } from "../../scenario/canonical.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { BRANCH_LETTERS, branches } from "../../store/branches.ts";
import { notify } from "../../store/notices.ts";
import { useApp } from "../../store/store.ts";

/** The browser needs the address for a moment after the click. */
const KEPT_MS = 10_000;

export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
  notify(`Saved as ${name}.`);
}

/** A file name from the title of a scenario: letters and digits, hyphens between. */
export function fileStem(title: string): string {
  return title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "scenario";
}

export function saveScenario(): void {
  const { scenario } = useApp.getState();
  if (scenario) saveDocument(scenario, fileStem(scenario.title));
}

/** Each future that is kept to compare as a file of its own, with its letter: they open like any other scenario. */
export function saveKeptFutures(): void {
  branches.get().forEach(({ scenario }, index) => {
    saveDocument(scenario, `${fileStem(scenario.title)}-${BRANCH_LETTERS[index]}`);
  });
}

function saveDocument(scenario: Scenario, stem: string): void {
  const text = `${JSON.stringify(canonicalJson(scenario), null, 2)}\n`;
  saveFile(new Blob([text], { type: "application/json" }), `${stem}.json`);
}
