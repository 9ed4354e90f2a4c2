/** Slurm's settings as a form: groups that open, a search over names and sentences, and only what was changed where that is asked for. */
import { useCallback, useMemo, useRef, useState } from "react";
import { countText } from "../../../../base/format.ts";
import type { SettingOwner } from "../../../../scenario/slurm/editSetting.ts";
import { withSetting } from "../../../../scenario/slurm/editSetting.ts";
import { keyOf } from "../../../../scenario/slurm/lex.ts";
import {
  formParameters,
  groupOf,
  PARAMETER_GROUPS,
} from "../../../../scenario/slurm/parameterGroups.ts";
import type { Parameter } from "../../../../scenario/slurm/parameterKinds.ts";
import type { SlurmFiles } from "../../../../scenario/slurm/report.ts";
import type { SetValue, SetValues } from "../../../../scenario/slurm/setValues.ts";
import { setValues } from "../../../../scenario/slurm/setValues.ts";
import { Check } from "../../../../ui/Check.tsx";
import { TextField } from "../../../../ui/Field.tsx";
import type { FormFilter } from "./formFilter.ts";
import { isChanged, isFound } from "./formFilter.ts";
import { Owners } from "./Owners.tsx";
import { ParameterField } from "./ParameterField.tsx";

const CLUSTER: SettingOwner = { kind: "cluster" };
const CLUSTER_PARAMETERS = [...formParameters("global"), ...formParameters("scheduler")];

export interface SlurmFormProps {
  readonly files: SlurmFiles;
  readonly onChange: (files: SlurmFiles, place: string) => void;
  /** Shows a line of a text; absent where no text is beside the form. */
  readonly onLine?: (file: keyof SlurmFiles, line: number) => void;
}

export function SlurmForm({ files, onChange, onLine }: SlurmFormProps) {
  const [search, setSearch] = useState("");
  const [changedOnly, setChangedOnly] = useState(false);
  const values = useMemo(() => setValues(files), [files]);
  const filter: FormFilter = { words: search.trim().toLowerCase(), changedOnly };
  // One function for the life of the form, so that a key in one field renders that field alone.
  const latest = useRef({ files, onChange, onLine });
  latest.current = { files, onChange, onLine };
  const edit = useCallback(
    (owner: SettingOwner, parameter: Parameter, set: SetValue | undefined, value: string): void => {
      const now = latest.current;
      const place = `${owner.kind} ${"name" in owner ? owner.name : ""} ${parameter.name}`;
      now.onChange(withSetting(now.files, owner, parameter, set, value), place);
    },
    [],
  );
  const show = useCallback((file: keyof SlurmFiles, line: number): void => {
    latest.current.onLine?.(file, line);
  }, []);
  const found = countFound(values, filter);
  return (
    <div className="slurm-form">
      <div className="slurm-find">
        <TextField
          label="Find a setting"
          value={search}
          placeholder="bf_interval, preempt, fair share"
          onChange={setSearch}
        />
        <Check label="Only what is changed" checked={changedOnly} onChange={setChangedOnly} />
      </div>
      {PARAMETER_GROUPS.map((group) => (
        <ParameterGroupPart
          key={group}
          group={group}
          values={values}
          filter={filter}
          edit={edit}
          show={show}
        />
      ))}
      <Owners
        values={values}
        filter={filter}
        edit={edit}
        show={show}
        add={(next, place) => onChange(next, place)}
        files={files}
      />
      {found === 0 && filter.words !== "" && (
        <p className="quiet">
          No setting of this name is heeded. The texts may hold others; they are listed with what
          this preset does not model.
        </p>
      )}
    </div>
  );
}

function clusterValue(values: SetValues, { scope, name }: Parameter): SetValue | undefined {
  return (scope === "scheduler" ? values.scheduler : values.global).get(keyOf(name));
}

function countFound(values: SetValues, filter: FormFilter): number {
  const all = [...CLUSTER_PARAMETERS, ...formParameters("partition"), ...formParameters("qos")];
  return all.filter((each) =>
    isFound(each, clusterValue(values, each), each.standard, { ...filter, changedOnly: false }),
  ).length;
}

interface GroupProps {
  readonly group: string;
  readonly values: SetValues;
  readonly filter: FormFilter;
  readonly edit: (
    owner: SettingOwner,
    parameter: Parameter,
    set: SetValue | undefined,
    value: string,
  ) => void;
  readonly show: (file: keyof SlurmFiles, line: number) => void;
}

function ParameterGroupPart({ group, values, filter, edit, show }: GroupProps) {
  const [open, setOpen] = useState(false);
  const mine = CLUSTER_PARAMETERS.filter((each) => groupOf(each) === group);
  const found = mine.filter((each) =>
    isFound(each, clusterValue(values, each), each.standard, filter),
  );
  const changed = found.filter((each) =>
    isChanged(clusterValue(values, each), each.standard, each.kind),
  );
  const onChange = useCallback(
    (parameter: Parameter, set: SetValue | undefined, value: string) =>
      edit(CLUSTER, parameter, set, value),
    [edit],
  );
  const onLine = useCallback((line: number) => show("conf", line), [show]);
  const isFiltered = filter.words !== "" || filter.changedOnly;
  if (found.length === 0) return null;
  return (
    <details
      className="slurm-group"
      open={open || isFiltered}
      onToggle={(event) => !isFiltered && setOpen(event.currentTarget.open)}
    >
      <summary>
        {group}
        <span className="part-note">
          {countText(found.length, "setting")}
          {changed.length > 0 && `, ${changed.length} changed`}
        </span>
      </summary>
      {(open || isFiltered) &&
        found.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            set={clusterValue(values, parameter)}
            standard={parameter.standard}
            onChange={onChange}
            onLine={onLine}
          />
        ))}
    </details>
  );
}
