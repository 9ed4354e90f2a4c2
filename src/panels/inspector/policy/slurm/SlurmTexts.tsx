/** The texts of a configuration, one at a time, each with what is said of its lines below. */
import type { Ref } from "react";
import { useEffect, useImperativeHandle, useRef, useState } from "react";
import { countText } from "../../../../base/format.ts";
import type { SlurmFileName, SlurmFiles } from "../../../../scenario/slurm/report.ts";
import type { Finding } from "./check.ts";
import type { TextEditorHandle } from "./TextEditor.tsx";
import { TextEditor } from "./TextEditor.tsx";

export interface SlurmTextsHandle {
  readonly show: (file: keyof SlurmFiles, line: number) => void;
}

export interface SlurmTextsProps {
  readonly files: SlurmFiles;
  readonly findings: readonly Finding[];
  readonly onChange: (files: SlurmFiles, place: string) => void;
  readonly ref?: Ref<SlurmTextsHandle>;
}

const FILES: readonly { readonly key: keyof SlurmFiles; readonly name: SlurmFileName }[] = [
  { key: "conf", name: "slurm.conf" },
  { key: "gres", name: "gres.conf" },
  { key: "topology", name: "topology.conf" },
  { key: "accounting", name: "sacctmgr" },
];

const EMPTY: Readonly<Record<keyof SlurmFiles, string>> = {
  conf: "Every key has its default until it stands here.",
  gres: "GPUs of the nodes, where NodeName lines do not say enough.",
  topology: "SwitchName lines; heeded with TopologyPlugin=topology/tree.",
  accounting: "sacctmgr commands or a dump: QOS, accounts, users, their limits and shares.",
};

export function SlurmTexts({ files, findings, onChange, ref }: SlurmTextsProps) {
  const [file, setFile] = useState<keyof SlurmFiles>("conf");
  const [line, setLine] = useState(0);
  const editor = useRef<TextEditorHandle>(null);
  const pending = useRef<{ line: number; focus: boolean } | null>(null);
  const show = (which: keyof SlurmFiles, at: number, focus: boolean): void => {
    setFile(which);
    setLine(at);
    if (which === file) editor.current?.show(at, focus);
    else pending.current = { line: at, focus };
  };
  useImperativeHandle(ref, () => ({ show: (which, at) => show(which, at, false) }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text of the other file is there after this render only
  useEffect(() => {
    const wanted = pending.current;
    pending.current = null;
    if (wanted) editor.current?.show(wanted.line, wanted.focus);
  }, [file]);
  const name = FILES.find((each) => each.key === file)!.name;
  const mine = findings.filter((finding) => finding.file === name);
  return (
    <div className="slurm-texts">
      <fieldset className="slurm-files" aria-label="Texts">
        {FILES.map((each) => {
          const problems = findings.filter(
            (finding) => finding.file === each.name && finding.kind === "problem",
          ).length;
          return (
            <button
              key={each.key}
              type="button"
              aria-pressed={each.key === file}
              onClick={() => {
                setFile(each.key);
                setLine(0);
              }}
            >
              {each.name}
              {problems > 0 && <b className="slurm-count"> ✕{problems}</b>}
              {files[each.key].trim() === "" && <span className="part-note"> empty</span>}
            </button>
          );
        })}
      </fieldset>
      <TextEditor
        key={file}
        ref={editor}
        label={`Text of ${name}`}
        value={files[file]}
        findings={mine}
        line={line}
        onChange={(text) => {
          setLine(0);
          onChange({ ...files, [file]: text }, `text ${file}`);
        }}
      />
      <Findings findings={mine} empty={EMPTY[file]} onLine={(at) => show(file, at, true)} />
    </div>
  );
}

const KIND_WORDS: Readonly<Record<Finding["kind"], string>> = {
  problem: "✕ wrong",
  notModelled: "– not modelled",
  approximated: "≈ approximated",
  ignored: "does not matter",
};
const KINDS: readonly Finding["kind"][] = ["problem", "notModelled", "approximated"];

interface FindingsProps {
  readonly findings: readonly Finding[];
  readonly empty: string;
  readonly onLine: (line: number) => void;
}

function Findings({ findings, empty, onLine }: FindingsProps) {
  const shown = KINDS.flatMap((kind) => findings.filter((finding) => finding.kind === kind));
  const ignored = findings.length - shown.length;
  return (
    <section className="findings" aria-label="What is said of the lines" aria-live="polite">
      {shown.length === 0 && (
        <p className="quiet">
          {ignored > 0 ? "Every line that bears on scheduling is heeded." : empty}
        </p>
      )}
      <ul>
        {shown.map((finding, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two findings of a line may say the same
          <li key={index} data-kind={finding.kind}>
            <button type="button" onClick={() => onLine(finding.line)}>
              <span className="finding-line">line {finding.line}</span>
              <span className="finding-kind">{KIND_WORDS[finding.kind]}</span>
              <span>
                {finding.key !== "" && finding.key !== "line" && <code>{finding.key}</code>}{" "}
                {finding.sentence}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {ignored > 0 && (
        <p className="part-note">
          {countText(ignored, "line")} of no bearing on scheduling: daemons, paths, logs.
        </p>
      )}
    </section>
  );
}
