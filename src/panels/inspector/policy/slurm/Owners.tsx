/** Partitions, lines of nodes, QOS, accounts and users: one card each, with the settings that can stand there. */
import { memo, useCallback, useState } from "react";
import { countText } from "../../../../base/format.ts";
import type { SettingOwner } from "../../../../scenario/slurm/editSetting.ts";
import { closed } from "../../../../scenario/slurm/editText.ts";
import { keyOf } from "../../../../scenario/slurm/lex.ts";
import { formParameters } from "../../../../scenario/slurm/parameterGroups.ts";
import type { Parameter, ParameterScope } from "../../../../scenario/slurm/parameterKinds.ts";
import type { SlurmFiles } from "../../../../scenario/slurm/report.ts";
import type { SetOwner, SetValue, SetValues } from "../../../../scenario/slurm/setValues.ts";
import { Button } from "../../../../ui/Button.tsx";
import { TextField } from "../../../../ui/Field.tsx";
import type { FormFilter } from "./formFilter.ts";
import { isChanged, isFound } from "./formFilter.ts";
import { ParameterField } from "./ParameterField.tsx";

type OwnerKind = Exclude<SettingOwner["kind"], "cluster">;
type Edit = (
  owner: SettingOwner,
  parameter: Parameter,
  set: SetValue | undefined,
  value: string,
) => void;
type Show = (file: keyof SlurmFiles, line: number) => void;

interface Part {
  readonly title: string;
  readonly list: "partitions" | "nodes" | "qos" | "accounts" | "users";
  readonly kind: OwnerKind;
  readonly scope: ParameterScope;
  readonly file: keyof SlurmFiles;
  /** What adding one is called, and the line that does it; absent: only in the text. */
  readonly adds?: { readonly word: string; readonly line: (name: string) => string };
}

const PARTS: readonly Part[] = [
  {
    title: "Partitions",
    list: "partitions",
    kind: "partition",
    scope: "partition",
    file: "conf",
    adds: { word: "partition", line: (name) => `PartitionName=${name} Nodes=ALL` },
  },
  { title: "Nodes", list: "nodes", kind: "node", scope: "node", file: "conf" },
  {
    title: "QOS",
    list: "qos",
    kind: "qos",
    scope: "qos",
    file: "accounting",
    adds: { word: "QOS", line: (name) => `add qos ${name}` },
  },
  {
    title: "Accounts",
    list: "accounts",
    kind: "account",
    scope: "association",
    file: "accounting",
    adds: { word: "account", line: (name) => `add account ${name}` },
  },
  { title: "Users", list: "users", kind: "user", scope: "association", file: "accounting" },
];

/** Cards shown of one kind; the others are found by their name. */
const MOST_CARDS = 40;

interface OwnersProps {
  readonly values: SetValues;
  readonly filter: FormFilter;
  readonly files: SlurmFiles;
  readonly edit: Edit;
  readonly show: Show;
  readonly add: (files: SlurmFiles, place: string) => void;
}

export function Owners({ values, filter, files, edit, show, add }: OwnersProps) {
  return PARTS.map((part) => (
    <OwnerPart
      key={part.list}
      part={part}
      owners={values[part.list]}
      filter={filter}
      edit={edit}
      show={show}
      onAdd={(name) => {
        const line = part.adds?.line(name) ?? "";
        add({ ...files, [part.file]: `${closed(files[part.file])}${line}\n` }, `add ${part.list}`);
      }}
    />
  ));
}

interface OwnerPartProps {
  readonly part: Part;
  readonly owners: readonly SetOwner[];
  readonly filter: FormFilter;
  readonly edit: Edit;
  readonly show: Show;
  readonly onAdd: (name: string) => void;
}

function OwnerPart({ part, owners, filter, edit, show, onAdd }: OwnerPartProps) {
  const [open, setOpen] = useState(false);
  const isFiltered = filter.words !== "" || filter.changedOnly;
  const base = owners.find((owner) => keyOf(owner.name) === "default");
  const found = owners.filter((owner) => isOwnerFound(owner, part.scope, base, filter));
  if (owners.length === 0 && part.adds === undefined) return null;
  if (isFiltered && found.length === 0) return null;
  return (
    <details
      className="slurm-group"
      open={open || isFiltered}
      onToggle={(event) => !isFiltered && setOpen(event.currentTarget.open)}
    >
      <summary>
        {part.title}
        <span className="part-note">{owners.length === 0 ? "none" : owners.length}</span>
      </summary>
      {(open || isFiltered) && (
        <>
          {found.slice(0, MOST_CARDS).map((owner) => (
            <OwnerCard
              key={owner.name}
              part={part}
              owner={owner}
              base={base}
              words={filter.words}
              edit={edit}
              show={show}
            />
          ))}
          {found.length > MOST_CARDS && (
            <p className="quiet">{found.length - MOST_CARDS} more: find them by name above.</p>
          )}
          {part.adds && !isFiltered && (
            <AddOwner
              word={part.adds.word}
              taken={owners.map((owner) => keyOf(owner.name))}
              onAdd={onAdd}
            />
          )}
        </>
      )}
    </details>
  );
}

/** By its own name, or by one of its settings that is set. */
function isOwnerFound(
  owner: SetOwner,
  scope: ParameterScope,
  base: SetOwner | undefined,
  filter: FormFilter,
): boolean {
  const isNamed = owner.name.toLowerCase().includes(filter.words);
  if (isNamed && !filter.changedOnly) return true;
  return formParameters(scope).some((each) => {
    const set = owner.values.get(keyOf(each.name));
    const standard = standardOf(each, owner, base);
    return (
      set !== undefined && isFound(each, set, standard, isNamed ? { ...filter, words: "" } : filter)
    );
  });
}

function standardOf(parameter: Parameter, owner: SetOwner, base: SetOwner | undefined): string {
  const inherited = base === owner ? undefined : base?.values.get(keyOf(parameter.name));
  return inherited?.value ?? parameter.standard;
}

interface OwnerCardProps {
  readonly part: Part;
  readonly owner: SetOwner;
  readonly base: SetOwner | undefined;
  readonly words: string;
  readonly edit: Edit;
  readonly show: Show;
}

const OwnerCard = memo(function OwnerCard({
  part,
  owner,
  base,
  words,
  edit,
  show,
}: OwnerCardProps) {
  const [open, setOpen] = useState(false);
  const { kind, scope, file } = part;
  const { name, values } = owner;
  const onChange = useCallback(
    (parameter: Parameter, set: SetValue | undefined, value: string) =>
      edit({ kind, name }, parameter, set, value),
    [edit, kind, name],
  );
  const onLine = useCallback((line: number) => show(file, line), [show, file]);
  const parameters = formParameters(scope);
  const changed = parameters.filter((each) =>
    isChanged(values.get(keyOf(each.name)), standardOf(each, owner, base), each.kind),
  );
  const isNamed = words === "" || name.toLowerCase().includes(words);
  const shown = isNamed
    ? parameters
    : parameters.filter((each) => isFound(each, undefined, "", { words, changedOnly: false }));
  return (
    <details
      className="slurm-card"
      open={open}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
        if (event.currentTarget.open && owner.line > 0) onLine(owner.line);
      }}
    >
      <summary>
        <code>{name}</code>
        <span className="part-note">
          {changed.length === 0
            ? "defaults"
            : changed
                .slice(0, 2)
                .map((each) => `${each.name}=${values.get(keyOf(each.name))?.value}`)
                .join(" ")
                .slice(0, 60)}
          {changed.length > 2 && ` and ${countText(changed.length - 2, "more", "more")}`}
        </span>
      </summary>
      {open &&
        shown.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            set={values.get(keyOf(parameter.name))}
            standard={standardOf(parameter, owner, base)}
            onChange={onChange}
            onLine={onLine}
          />
        ))}
    </details>
  );
});

interface AddOwnerProps {
  readonly word: string;
  readonly taken: readonly string[];
  readonly onAdd: (name: string) => void;
}

function AddOwner({ word, taken, onAdd }: AddOwnerProps) {
  const [name, setName] = useState("");
  const trimmed = name.trim();
  const reason =
    trimmed === ""
      ? "Type a name"
      : !/^[\w.-]+$/.test(trimmed)
        ? "Use letters, digits and . _ -"
        : taken.includes(keyOf(trimmed))
          ? "There is one of this name"
          : null;
  return (
    <div className="slurm-add">
      <TextField label={`Add a ${word}`} value={name} placeholder="name" onChange={setName} />
      <Button
        label={`Add ${word}`}
        disabledReason={reason}
        onClick={() => {
          onAdd(trimmed);
          setName("");
        }}
      >
        Add
      </Button>
    </div>
  );
}
