/** The objects of a policy as one text; a finding leads to its line. */
import type { RefObject } from "react";
import { TextEditor, type TextEditorHandle } from "../slurm/TextEditor.tsx";
import type { YamlFinding } from "./useYamlRead.ts";

export interface YamlTextProps {
  readonly editor: RefObject<TextEditorHandle | null>;
  readonly value: string;
  readonly findings: readonly YamlFinding[];
  readonly onChange: (value: string, place: string) => void;
}

export function YamlText({ editor, value, findings, onChange }: YamlTextProps) {
  return (
    <>
      <TextEditor
        ref={editor}
        label="YAML of the policy"
        value={value}
        findings={findings}
        line={0}
        onChange={(text) => onChange(text, "text")}
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
    </>
  );
}
