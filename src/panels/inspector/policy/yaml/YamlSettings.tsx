/** The objects of a policy in the column: the form and the text below it, which are one; and the way to both side by side. */
import { Columns2 } from "lucide-react";
import { useRef, useState } from "react";
import { showDialog } from "../../../../store/shellState.ts";
import { Button } from "../../../../ui/Button.tsx";
import { undoKeys } from "../slurm/SlurmSheet.tsx";
import type { TextEditorHandle } from "../slurm/TextEditor.tsx";
import { useTextHistory } from "../slurm/textHistory.ts";
import { ObjectForm } from "./ObjectForm.tsx";
import { useYamlForm } from "./useYamlForm.ts";
import type { YamlReading } from "./useYamlRead.ts";
import { YamlSheet, type YamlSheetFoot } from "./YamlSheet.tsx";
import { YamlText } from "./YamlText.tsx";
import "../slurm/slurm.css";

export interface YamlSettingsProps {
  readonly preset: string;
  readonly value: string;
  readonly reading: YamlReading;
  readonly onChange: (value: string) => void;
  readonly foot: YamlSheetFoot;
}

export function YamlSettings({ preset, value, reading, onChange, foot }: YamlSettingsProps) {
  const editor = useRef<TextEditorHandle>(null);
  const [sheetOpen, setSheetOpen] = useState(false);
  const history = useTextHistory(value, onChange);
  const { findings } = reading;
  const form = useYamlForm(value, reading);
  return (
    <section
      className="yaml-text"
      aria-label="YAML"
      onKeyDown={(event) => undoKeys(event, history)}
    >
      <h3>YAML</h3>
      <p className="quiet">
        Objects as the cluster has them. What they say goes before the settings below.{" "}
        <button
          type="button"
          className="link"
          onClick={() => showDialog({ kind: "familyPreset", preset })}
        >
          What this preset models
        </button>
      </p>
      <div className="slurm-ways">
        <Button
          label="Form and text side by side"
          icon={Columns2}
          onClick={() => setSheetOpen(true)}
        />
      </div>
      <ObjectForm
        preset={preset}
        text={value}
        form={form}
        onChange={history.set}
        onLine={(line) => editor.current?.show(line, false)}
      />
      <YamlText editor={editor} value={value} findings={findings} onChange={history.set} />
      {sheetOpen && (
        <YamlSheet
          preset={preset}
          value={value}
          findings={findings}
          form={form}
          history={history}
          foot={foot}
          onClose={() => setSheetOpen(false)}
        />
      )}
    </section>
  );
}
