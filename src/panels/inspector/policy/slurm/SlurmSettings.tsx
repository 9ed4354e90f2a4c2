/** Slurm's settings in the column: the form, the way to the texts, and what the preset models. */
import { Columns2 } from "lucide-react";
import type { SlurmFiles } from "../../../../scenario/slurm/report.ts";
import { showDialog } from "../../../../store/shellState.ts";
import { Button } from "../../../../ui/Button.tsx";
import type { Finding } from "./check.ts";
import { SlurmForm } from "./SlurmForm.tsx";
import { undoKeys } from "./SlurmSheet.tsx";
import type { TextHistory } from "./textHistory.ts";
import "./slurm.css";

export interface SlurmSettingsProps {
  readonly files: SlurmFiles;
  readonly findings: readonly Finding[];
  readonly history: TextHistory<SlurmFiles>;
  readonly onOpenSheet: () => void;
  /** Texts of a first configuration; offered where there are none. */
  readonly onStart: () => void;
}

export function SlurmSettings({
  files,
  findings,
  history,
  onOpenSheet,
  onStart,
}: SlurmSettingsProps) {
  const isEmpty = Object.values(files).every((text) => text.trim() === "");
  const count = (kind: Finding["kind"]) => findings.filter((each) => each.kind === kind).length;
  const [problems, notModelled] = [count("problem"), count("notModelled")];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of undo for everything within
    <div className="slurm-settings" onKeyDown={(event) => undoKeys(event, history)}>
      <div className="slurm-ways">
        <Button label="Form and text side by side" icon={Columns2} onClick={onOpenSheet} />
        <button type="button" className="link" onClick={() => showDialog({ kind: "slurmPreset" })}>
          What this preset models
        </button>
      </div>
      {isEmpty && (
        <p className="quiet">
          No configuration: every default of Slurm holds.{" "}
          <button type="button" className="link" onClick={onStart}>
            Write one that says what this scenario says
          </button>
        </p>
      )}
      {problems > 0 && (
        <p className="part-error">
          {problems === 1 ? "One line is wrong" : `${problems} lines are wrong`}:{" "}
          {findings.find((each) => each.kind === "problem")!.sentence}
        </p>
      )}
      {notModelled > 0 && (
        <p className="part-note">
          {notModelled === 1 ? "One line says" : `${notModelled} lines say`} something that is not
          modelled: see the texts.
        </p>
      )}
      <SlurmForm files={files} onChange={history.set} />
    </div>
  );
}
