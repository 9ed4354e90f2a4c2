/** Single jobs of the document, a row each, some at a time: every cell is a field, and what is wrong stands below its row. */
import { Copy, Plus, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import { numberText } from "../../../base/format.ts";
import type { Json, JsonObject } from "../../../base/json.ts";
import { scenarioSchema } from "../../../scenario/schema.ts";
import { Button } from "../../../ui/Button.tsx";
import { Entry } from "../../../ui/fields/Entry.tsx";
import { completed, leafOf, schemaAt } from "../../../ui/fields/leaf.ts";
import { keysOf, valueAt, withValue } from "../../../ui/fields/paths.ts";
import { fieldError } from "../../../ui/fields/SpecFields.tsx";
import { freeId, type Part } from "./usePart.ts";
import { JOB_COLUMNS } from "./workloadSpecs.ts";

const ROWS = 15;
const jobSchema = schemaAt(scenarioSchema, "workload.jobs.0");
const FIRST_JOB = { id: "job", submitMs: 0, gpus: 8, workMs: 3_600_000 };

export function JobGrid({ part }: { readonly part: Part }) {
  const jobs = (part.value.jobs ?? []) as readonly JsonObject[];
  const [from, setFrom] = useState(0);
  const start = Math.min(from, Math.max(0, Math.floor((jobs.length - 1) / ROWS) * ROWS));
  const put = (list: readonly Json[]) => part.set({ ...part.value, jobs: list });
  const insert = (job: JsonObject, at: number) => {
    const ids = jobs.map(({ id }) => String(id));
    put(jobs.toSpliced(at, 0, { ...job, id: freeId(String(job.id), ids) }));
    setFrom(Math.floor(at / ROWS) * ROWS);
  };
  return (
    <>
      {jobs.length > 0 && (
        <div className="editor-scroll">
          <table className="editor-grid">
            <thead>
              <tr>
                {JOB_COLUMNS.map((spec) => (
                  <th key={spec.key} scope="col" title={spec.sentence}>
                    {spec.label}
                  </th>
                ))}
                <th scope="col">
                  <span className="sr-only">Change the row</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {jobs.slice(start, start + ROWS).map((job, row) => (
                <JobRow
                  // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place; ids change while they are typed.
                  key={start + row}
                  part={part}
                  job={job}
                  index={start + row}
                  onJob={(next) => put(jobs.with(start + row, next as JsonObject))}
                  onCopy={() => insert(job, start + row + 1)}
                  onRemove={() => put(jobs.toSpliced(start + row, 1))}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div className="editor-acts">
        <Button
          label="Add a job"
          icon={Plus}
          onClick={() => insert(completed(jobSchema, FIRST_JOB) as JsonObject, jobs.length)}
        />
        {jobs.length > ROWS && (
          <>
            <Button
              label="Earlier rows"
              disabledReason={start === 0 ? "these are the first" : null}
              onClick={() => setFrom(start - ROWS)}
            />
            <Button
              label="Later rows"
              disabledReason={start + ROWS >= jobs.length ? "these are the last" : null}
              onClick={() => setFrom(start + ROWS)}
            />
            <span className="quiet" aria-live="polite">
              {numberText(start + 1)} to {numberText(Math.min(jobs.length, start + ROWS))} of{" "}
              {numberText(jobs.length)}
            </span>
          </>
        )}
      </div>
    </>
  );
}

interface RowProps {
  readonly part: Part;
  readonly job: JsonObject;
  readonly index: number;
  readonly onJob: (job: Json) => void;
  readonly onCopy: () => void;
  readonly onRemove: () => void;
}

function JobRow({ part, job, index, onJob, onCopy, onRemove }: RowProps) {
  const id = useId();
  const own = part.context(`/workload/jobs/${index}`);
  const name = String(job.id ?? index + 1);
  const errors = JOB_COLUMNS.flatMap((spec) => {
    const message = fieldError(spec, jobSchema, job, own);
    return message === null ? [] : [{ spec, message }];
  });
  const whole = own.problemAt("");
  return (
    <>
      <tr>
        {JOB_COLUMNS.map((spec) => (
          <td key={spec.key} style={{ minWidth: spec.width }}>
            <Entry
              spec={spec}
              leaf={leafOf(jobSchema, spec.key)}
              value={valueAt(job, keysOf(spec.key))}
              onChange={(value) => onJob(withValue(job, keysOf(spec.key), value))}
              names={own.names(spec.names)}
              control={{
                "aria-label": `${spec.label} of ${name}`,
                title: spec.sentence,
                ...(errors.some((each) => each.spec === spec)
                  ? { "aria-invalid": true, "aria-describedby": id }
                  : {}),
              }}
            />
          </td>
        ))}
        <td className="editor-row-acts">
          <Button label={`Copy job ${name}`} icon={Copy} look="icon" onClick={onCopy} />
          <Button label={`Remove job ${name}`} icon={Trash2} look="icon" onClick={onRemove} />
        </td>
      </tr>
      {(whole !== null || errors.length > 0) && (
        <tr>
          <td colSpan={JOB_COLUMNS.length + 1} id={id} role="alert">
            {whole !== null && <p className="field-error">{whole}</p>}
            {errors.map(({ spec, message }) => (
              <p key={spec.key} className="field-error">
                {spec.label}: {message}
              </p>
            ))}
          </td>
        </tr>
      )}
    </>
  );
}
