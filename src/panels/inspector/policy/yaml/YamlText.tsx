/** The objects of Kubernetes that a policy describes, as one text; a finding leads to its line. */
import { useRef } from "react";
import { showDialog } from "../../../../store/shellState.ts";
import { TextEditor, type TextEditorHandle } from "../slurm/TextEditor.tsx";
import type { YamlFinding } from "./yamlCheck.ts";
import "../slurm/slurm.css";

export interface YamlTextProps {
  readonly preset: string;
  readonly value: string;
  readonly findings: readonly YamlFinding[];
  readonly onChange: (value: string) => void;
}

export function YamlText({ preset, value, findings, onChange }: YamlTextProps) {
  const editor = useRef<TextEditorHandle>(null);
  return (
    <section className="yaml-text" aria-label="YAML">
      <h3>YAML</h3>
      <p className="quiet">
        Objects as the cluster has them, divided by lines of ---. What they say goes before the
        settings below.{" "}
        <button
          type="button"
          className="link"
          onClick={() => showDialog({ kind: "familyPreset", preset })}
        >
          What this preset models
        </button>
      </p>
      <TextEditor
        ref={editor}
        label="YAML of the policy"
        value={value}
        findings={findings}
        line={0}
        onChange={onChange}
      />
      {findings.length > 0 && (
        <ul className="yaml-findings">
          {findings.map((finding) => (
            <li key={`${finding.line} ${finding.sentence}`}>
              <button
                type="button"
                className="link"
                onClick={() => editor.current?.show(finding.line, true)}
              >
                Line {finding.line}
              </button>{" "}
              {finding.sentence}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
