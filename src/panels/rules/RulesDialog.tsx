/**
 * The rules of the scenario in tables. They hold from time 0, so applying edits the document (one step for Undo) and the run is
 * computed anew; what is wrong stands at its field and keeps what was typed, also where the worker refuses the document.
 */
import { useState } from "react";
import { countText } from "../../base/format.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import type { Problem } from "../../base/problem.ts";
import { JOB_KINDS } from "../../model/jobs.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { run } from "../../store/commands.ts";
import { dismissProblems, editDocument } from "../../store/documents.ts";
import { notify } from "../../store/notices.ts";
import { closeDialog } from "../../store/shellState.ts";
import { useApp } from "../../store/store.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import type { NamesOf } from "../../ui/fields/fieldSpec.ts";
import { keysOf, valueAt } from "../../ui/fields/paths.ts";
import type { FormContext } from "../../ui/fields/SpecFields.tsx";
import type { KeptRules } from "./rulesDraft.ts";
import {
  changedTables,
  checkedRules,
  elsewhereWords,
  keepRules,
  keptRules,
  pointerOf,
  rulesLabel,
  rulesOf,
  tableOfProblem,
} from "./rulesDraft.ts";
import { TablePart } from "./TablePart.tsx";
import type { TableSpec } from "./tables.ts";
import { TABLES } from "./tables.ts";
import { useRulesCheck } from "./useRulesCheck.ts";
import "./rules.css";

export function RulesDialog() {
  const scenario = useApp((state) => state.scenario);
  return scenario && <Rules scenario={scenario} />;
}

/** The table that was open last: the dialog is opened again and again while one tries. */
let lastTable = TABLES[0]!.id;

function Rules({ scenario }: { readonly scenario: Scenario }) {
  const [held, setHeld] = useState<KeptRules>(() => keptRules(scenario) ?? freshOf(scenario));
  const [isBack, setBack] = useState(() => keptRules(scenario) !== null);
  const [tableId, setTableId] = useState(lastTable);
  const [refused, setRefused] = useState<readonly Problem[]>([]);
  const { base, rules } = held;
  const check = useRulesCheck(scenario, rules);
  const problems = check.problems.length > 0 ? check.problems : refused;
  const changed = changedTables(base, rules);
  const table = TABLES.find((each) => each.id === tableId) ?? TABLES[0]!;
  const hold = (next: KeptRules | null) => {
    keepRules(next);
    setHeld(next ?? freshOf(scenario));
    setRefused([]);
  };
  const show = (id: string) => {
    lastTable = id;
    setTableId(id);
  };
  const apply = async () => {
    const result = checkedRules(scenario, rules);
    if (!result.ok) return;
    const label = rulesLabel(changed);
    const done = await editDocument(result.value, label);
    if (done) {
      keepRules(null);
      closeDialog();
      notify(`${label}, from the start of the run.`, true);
      return;
    }
    const status = useApp.getState().runStatus;
    if (status.phase !== "problems") return;
    setRefused(status.problems);
    dismissProblems();
  };
  const why = whyNot(changed, problems);
  return (
    <Dialog
      title="Rules of the scenario"
      description="They hold from the start of the run, so the whole run is computed anew. To change something at a moment, use Policy, Inject or Drain."
      open
      size="wide"
      onClose={closeDialog}
      actions={
        <>
          <Standing {...{ changed, problems, scenario }} onShow={show} />
          {changed.length > 0 && (
            <Button
              label="Discard edits"
              onClick={() => {
                hold(null);
                setBack(false);
              }}
            />
          )}
          <Button
            label="Apply from the start"
            look="primary"
            disabledReason={why}
            onClick={apply}
          />
        </>
      }
    >
      <div className="rules">
        <div className="rules-side">
          <nav className="rules-tables" aria-label="Tables">
            {TABLES.map((each) => (
              <TableButton
                key={each.id}
                table={each}
                rules={rules}
                current={each === table}
                changed={changed.includes(each)}
                wrong={problems.some((problem) => tableOfProblem(problem) === each)}
                onClick={() => show(each.id)}
              />
            ))}
          </nav>
          <p className="rules-elsewhere">
            <button type="button" className="link" onClick={() => run("openCluster")}>
              Cluster …
            </button>
            <button type="button" className="link" onClick={() => run("openWorkload")}>
              Workload …
            </button>
          </p>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys need a place in it. */}
        <section className="rules-body" tabIndex={0} aria-label={`Table: ${table.title}`}>
          {isBack && changed.length > 0 && (
            <p className="rules-note">Edits that were not applied are back.</p>
          )}
          <TablePart
            key={table.id}
            table={table}
            rules={rules}
            onChange={(next) => hold({ base, rules: next })}
            scenario={check.read}
            context={(pointer) => contextOf(rules, scenario, problems, pointer)}
            isOld={(id) => isOldId(base, table, id)}
          />
        </section>
      </div>
    </Dialog>
  );
}

function freshOf(scenario: Scenario): KeptRules {
  const rules = rulesOf(scenario);
  return { base: rules, rules };
}

function isOldId(base: JsonObject, table: TableSpec, id: Json | undefined): boolean {
  const rows = (valueAt(base, keysOf(table.place)) ?? []) as readonly JsonObject[];
  return rows.some((row) => row.id === id);
}

function whyNot(changed: readonly TableSpec[], problems: readonly Problem[]): string | null {
  if (changed.length === 0) return "nothing differs yet";
  const [first] = problems;
  return first === undefined ? null : first.message;
}

/** Names of the rules as they are edited, and what is wrong below a pointer: at the place itself for the key "". */
function contextOf(
  rules: JsonObject,
  scenario: Scenario,
  problems: readonly Problem[],
  pointer: string,
): FormContext {
  const idsIn = (key: string) =>
    ((rules[key] ?? []) as readonly JsonObject[]).map((row) => String(row.id));
  const names = (of: NamesOf | undefined): readonly string[] => {
    switch (of) {
      case "tiers":
      case "teams":
        return idsIn(of);
      case "queues":
        return scenario.queues;
      case "pools":
        return scenario.pools.map((pool) => pool.id);
      case "nodeGroups":
        return scenario.cluster.nodeGroups.map((group) => group.id);
      case "kinds":
        return JOB_KINDS;
      default:
        return [];
    }
  };
  const problemAt = (key: string): string | null => {
    const place = key === "" ? pointer : `${pointer}/${key.replaceAll(".", "/")}`;
    const found = problems.find(
      (problem) => problem.place === place || (key !== "" && problem.place.startsWith(`${place}/`)),
    );
    return found ? `${found.message} ${found.remedy}` : null;
  };
  return { names, problemAt };
}

interface ButtonProps {
  readonly table: TableSpec;
  readonly rules: JsonObject;
  readonly current: boolean;
  readonly changed: boolean;
  readonly wrong: boolean;
  readonly onClick: () => void;
}

function TableButton({ table, rules, current, changed, wrong, onClick }: ButtonProps) {
  const value = valueAt(rules, keysOf(table.place));
  const isList = table.shape === "grid" || table.shape === "cards";
  const size = isList ? String(((value ?? []) as readonly Json[]).length) : "";
  const mark = table.shape === "one" && value !== undefined ? "on" : size === "0" ? "" : size;
  return (
    <button type="button" aria-current={current ? "page" : undefined} onClick={onClick}>
      <span>
        {table.title}
        {changed && (
          <b>
            <span aria-hidden> •</span>
            <span className="sr-only">, changed</span>
          </b>
        )}
      </span>
      {wrong ? <b className="rules-bad">wrong</b> : <span className="part-note">{mark}</span>}
    </button>
  );
}

interface StandingProps {
  readonly changed: readonly TableSpec[];
  readonly problems: readonly Problem[];
  readonly scenario: Scenario;
  readonly onShow: (id: string) => void;
}

/** What differs, or the first thing that is wrong and the way to it. */
function Standing({ changed, problems, scenario, onShow }: StandingProps) {
  const [first] = problems;
  const table = first && tableOfProblem(first);
  if (first === undefined || changed.length === 0)
    return (
      <span className="rules-standing" aria-live="polite">
        {changed.length === 0
          ? "Nothing differs yet."
          : `Differs: ${changed.map((each) => each.title).join(", ")}.`}
      </span>
    );
  const more =
    problems.length > 1 ? ` (and ${countText(problems.length - 1, "more", "more")})` : "";
  return (
    <span className="rules-standing" aria-live="polite">
      {table ? (
        <button type="button" className="link" onClick={() => onShow(table.id)}>
          {table.title}
          {placeWords(first, table)}: {first.message}
        </button>
      ) : (
        <>
          {elsewhereWords(first, scenario)}: {first.message} {first.remedy}
        </>
      )}
      {more}
    </span>
  );
}

function placeWords(problem: Problem, table: TableSpec): string {
  const [, row] = /^\/(\d+)/.exec(problem.place.slice(pointerOf(table).length)) ?? [];
  return row === undefined ? "" : `, ${table.one} ${Number(row) + 1}`;
}
