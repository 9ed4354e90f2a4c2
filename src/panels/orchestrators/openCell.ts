/** Opens the scenario behind a cell, with what to look at above the sheet. Back leads to the comparison again. */
import type { ScenarioInput } from "../../scenario/schema.ts";
import { openDocument } from "../../store/documents.ts";
import { fetchLinkCode } from "../../store/linkCode.ts";
import { notify } from "../../store/notices.ts";
import { closeDialog, useShell } from "../../store/shellState.ts";
import { keepLayer } from "../../store/url.ts";

export interface CellScenario {
  readonly document: ScenarioInput;
  readonly first: { readonly cursorMs: number; readonly select?: string };
  /** What the cell claims. */
  readonly claim: string;
  /** What is seen of it. */
  readonly look: string;
}

export async function openCell({ document, first, claim, look }: CellScenario): Promise<void> {
  const code = await fetchLinkCode().catch(() => null);
  const read = code?.reader.readScenario(document);
  if (!read?.ok) {
    notify("This scenario could not be opened: a part of the page is missing. Reload the page.");
    return;
  }
  const scenario = read.value;
  keepLayer();
  closeDialog();
  const doc = { scenario, baseId: null, view: null, first };
  if (!(await openDocument(doc, `Open “${scenario.title}”`))) return;
  useShell.setState({ banner: { kind: "note", title: claim, detail: look, ofOpening: true } });
}
