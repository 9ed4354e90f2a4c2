/** One table of the rules: what it is for, its entries or the way to a first one, and what has to be set elsewhere. */
import { Plus } from "lucide-react";
import { useEffect, useRef } from "react";
import { run } from "../../store/commands.ts";
import { closeDialog } from "../../store/shellState.ts";
import { useApp } from "../../store/store.ts";
import { Button } from "../../ui/Button.tsx";
import { keysOf, valueAt } from "../../ui/fields/paths.ts";
import { CardsEditor, OneEditor } from "./CardsEditor.tsx";
import type { EditorProps } from "./entries.ts";
import { entriesOf, withFirst } from "./entries.ts";
import { GridEditor } from "./GridEditor.tsx";
import { pointerOf } from "./rulesDraft.ts";
import { TierMatrices } from "./TierMatrices.tsx";

export function TablePart(props: EditorProps) {
  const { table, rules, onChange, scenario, context } = props;
  const body = useRef<HTMLElement>(null);
  const added = useRef(false);
  useEffect(() => {
    if (!added.current) return;
    added.current = false;
    newestField(body.current)?.focus();
  });
  const isList = table.shape === "grid" || table.shape === "cards";
  const count = isList ? entriesOf(rules, table).length : 1;
  const isEmpty = isList
    ? count === 0
    : table.shape === "one" && valueAt(rules, keysOf(table.place)) === undefined;
  const first = table.first?.(scenario);
  const own = context(pointerOf(table)).problemAt("");
  const note = table.note?.(scenario) ?? null;
  const add = () => {
    added.current = true;
    onChange(withFirst(rules, table, scenario));
  };
  return (
    <section ref={body} className="rules-part" aria-label={table.title}>
      <h3>{table.title}</h3>
      <p className="quiet">{table.purpose}</p>
      {own !== null && (
        <p className="field-error" role="alert">
          {own}
        </p>
      )}
      {note !== null && <PolicyNote note={note} isPolicy={note.includes("policy")} />}
      {isEmpty ? null : table.shape === "grid" ? (
        <GridEditor {...props} />
      ) : table.shape === "cards" ? (
        <CardsEditor {...props} />
      ) : (
        <OneEditor {...props} />
      )}
      {first !== undefined && (isList || isEmpty) && (
        <div className="rules-add">
          {isEmpty && <span className="quiet">There is none in this scenario.</span>}
          <Button
            label={`Add a ${table.one}`}
            icon={Plus}
            disabledReason={"reason" in first ? first.reason : null}
            onClick={add}
          />
          {isEmpty && "reason" in first && (
            <span className="part-note">Not possible: {first.reason}.</span>
          )}
        </div>
      )}
      {table.id === "tiers" && <TierMatrices {...props} />}
    </section>
  );
}

/** The first field of the entry that was added last. */
function newestField(body: HTMLElement | null): HTMLElement | null {
  const fields = "input, select, textarea";
  const entries = body?.querySelectorAll(".rules-grid > tbody > tr:not(.rules-wrong), .rules-card");
  const last = entries?.item(entries.length - 1) ?? body?.querySelector(".spec-grid");
  return last?.querySelector<HTMLElement>(fields) ?? null;
}

/** Edits stay while the policy is changed: they are back when the dialog opens again. */
function PolicyNote({ note, isPolicy }: { readonly note: string; readonly isPolicy: boolean }) {
  const open = () => {
    closeDialog();
    if (useApp.getState().side !== "policy") run("openSide", { side: "policy" });
  };
  return (
    <p className="rules-note">
      {note}{" "}
      {isPolicy && (
        <button type="button" className="link" onClick={open}>
          Open the policy
        </button>
      )}
    </p>
  );
}
