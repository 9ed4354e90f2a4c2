/**
 * What was understood of a slurm.conf and the files beside it, before anything changes: the cluster, what is not heeded, and the two
 * ways on, as a scenario of its own or under the jobs that are open.
 */
import { useMemo, useState } from "react";
import { countText, numberText } from "../../base/format.ts";
import type { ReadCluster } from "../../protocol/messages.ts";
import type { JobEntry, Scenario } from "../../scenario/schema.ts";
import type { ConfigNote, NoteKind } from "../../scenario/slurm/report.ts";
import { editDocument, openDocument } from "../../store/documents.ts";
import { notify } from "../../store/notices.ts";
import type { ReadSlurm } from "../../store/shellState.ts";
import { closeDialog } from "../../store/shellState.ts";
import { useApp } from "../../store/store.ts";
import { Button } from "../../ui/Button.tsx";
import { Check } from "../../ui/Check.tsx";
import { Dialog } from "../../ui/Dialog.tsx";

const FILE_WORDS = {
  conf: "slurm.conf",
  gres: "gres.conf",
  topology: "topology.conf",
  accounting: "accounting",
} as const;

export interface SlurmFilesDialogProps {
  readonly read: ReadSlurm;
  readonly then: () => void;
}

export function SlurmFilesDialog({ read, then }: SlurmFilesDialogProps) {
  const open = useApp((state) => state.scenario);
  const [withLoad, setWithLoad] = useState(true);
  const { load, own, joined } = useMemo(
    () => ({
      // Checked by the worker, which is ours.
      load: JSON.parse(read.load ?? "[]") as JobEntry[],
      own: scenarioIn(read.own),
      joined: scenarioIn(read.joined),
    }),
    [read],
  );
  const shown = own ?? joined;
  const notes = notesOf(read.own) ?? notesOf(read.joined) ?? [];
  const names = read.files.map((file) => file.name).join(", ");
  const openNew = async (scenario: Scenario): Promise<void> => {
    closeDialog();
    const jobs = withLoad ? load : [];
    const next = { ...scenario, workload: { ...scenario.workload, jobs } };
    if (!(await openDocument({ scenario: next, baseId: null, view: null }, `Open ${names}`)))
      return;
    notify(`${scenario.title} opened.`, true);
    then();
  };
  const replaceHere = async (scenario: Scenario): Promise<void> => {
    closeDialog();
    if (!(await editDocument(scenario, `Use ${names}`))) return;
    notify(`${names} governs the open scenario.`, true);
    then();
  };
  const refused = read.joined?.kind === "problems" ? read.joined.problems[0] : undefined;
  return (
    <Dialog
      title={names}
      description={`Read as ${read.files.map(({ file }) => FILE_WORDS[file]).join(", ")}. Nothing has changed yet.`}
      open
      size="large"
      onClose={closeDialog}
      actions={
        <>
          <Button label="Cancel" onClick={closeDialog} />
          {open && (
            <Button
              label="Use in the open scenario"
              disabledReason={joined ? null : (refused?.message ?? "it does not fit")}
              onClick={() => joined && void replaceHere(joined)}
            />
          )}
          {own && (
            <Button
              label="Open as a new scenario"
              look="primary"
              onClick={() => void openNew(own)}
            />
          )}
        </>
      }
    >
      {shown && (
        <>
          <h3 className="dialog-h">Read from the file</h3>
          <Facts scenario={shown} />
        </>
      )}
      <Notes notes={notes} />
      {own && (
        <>
          <h3 className="dialog-h">As a new scenario</h3>
          {load.length > 0 ? (
            <Check
              label={`With ${countText(load.length, "made-up job")} that fit its partitions`}
              hint="A configuration has no jobs. Drop the output of sacct afterwards to see your own."
              checked={withLoad}
              onChange={setWithLoad}
            />
          ) : (
            <p className="quiet">
              It has no jobs yet: no partition has GPUs and takes jobs of everybody. Drop the output
              of sacct, or inject jobs.
            </p>
          )}
        </>
      )}
      {open && (
        <>
          <h3 className="dialog-h">In the open scenario</h3>
          {joined ? (
            <p className="quiet">
              {`“${open.title}” keeps its jobs; ${read.joined?.kind === "scenario" && read.joined.newCluster ? "cluster and policy are those of the files, and changes that name its nodes are dropped" : "its policy is that of the files, its cluster stays"}.`}
            </p>
          ) : (
            read.joined?.kind === "problems" && (
              <ul className="notes">
                {read.joined.problems.slice(0, 6).map((problem) => (
                  <li key={problem.place + problem.message}>
                    {problem.place}: {problem.message} {problem.remedy}
                  </li>
                ))}
              </ul>
            )
          )}
        </>
      )}
      {read.own?.kind === "problems" && (
        <>
          <h3 className="dialog-h">Not as a new scenario</h3>
          <ul className="notes">
            {read.own.problems.slice(0, 6).map((problem) => (
              <li key={problem.place + problem.message}>
                {problem.place}: {problem.message} {problem.remedy}
              </li>
            ))}
          </ul>
        </>
      )}
      {read.others.length > 0 && (
        <p className="part-note">
          {read.others.join(", ")} {read.others.length === 1 ? "is" : "are"} read next.
        </p>
      )}
      {read.guessed && (
        <p className="part-note">It is not UTF-8: its letters were read as Windows-1252.</p>
      )}
    </Dialog>
  );
}

function scenarioIn(read: ReadCluster | null): Scenario | null {
  return read?.kind === "scenario" ? (JSON.parse(read.json) as Scenario) : null;
}

function notesOf(read: ReadCluster | null): readonly ConfigNote[] | null {
  return read?.kind === "scenario" ? read.notes : null;
}

const LISTED = 8;

function Facts({ scenario }: { readonly scenario: Scenario }) {
  const { cluster, queues, tiers, teams } = scenario;
  const nodes = cluster.nodeGroups.reduce((sum, group) => sum + group.count, 0);
  const gpus = cluster.nodeGroups.reduce((sum, group) => sum + group.count * group.gpus, 0);
  const models = [
    ...new Set(cluster.nodeGroups.filter(({ gpus: n }) => n > 0).map((group) => group.gpuModel)),
  ];
  const leaves = (cluster.switches ?? []).filter((each) => each.nodes).length;
  const rows: readonly (readonly [string, string, string])[] = [
    [
      "Nodes",
      numberText(nodes),
      listed(cluster.nodeGroups.map((group) => group.names ?? group.id)),
    ],
    ["GPUs", numberText(gpus), listed(models)],
    ["Partitions", numberText(queues.length), listed(queues)],
    ["QOS", numberText(tiers.length), listed(tiers.map((tier) => tier.id))],
    ["Accounts", numberText(teams.length), listed(teams.map((team) => team.id))],
    ["Leaf switches", numberText(leaves), leaves === 0 ? "no topology.conf" : ""],
  ];
  return (
    <table className="files">
      <tbody>
        {rows.map(([what, count, names]) => (
          <tr key={what}>
            <td>{what}</td>
            <td className="n">{count}</td>
            <td className="quiet">{names}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function listed(names: readonly string[]): string {
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : "";
  return names.slice(0, LISTED).join(", ").slice(0, 160) + more;
}

const GROUPS: readonly { readonly kind: NoteKind; readonly title: string }[] = [
  { kind: "notModelled", title: "Not modelled" },
  { kind: "approximated", title: "Approximated" },
  { kind: "ignored", title: "Does not bear on scheduling" },
];

function Notes({ notes }: { readonly notes: readonly ConfigNote[] }) {
  return GROUPS.map(({ kind, title }) => {
    const mine = notes.filter((note) => note.kind === kind);
    if (mine.length === 0) return null;
    return (
      <details key={kind} className="note-group" open={kind !== "ignored"}>
        <summary>
          {title}: {countText(mine.length, "line")}
        </summary>
        <ul className="notes">
          {mine.map((note) => (
            <li key={`${note.file} ${note.line} ${note.key} ${note.sentence}`}>
              <span className="note-place">
                {note.file}:{note.line}
              </span>{" "}
              <code>{note.key}</code> {note.sentence}
            </li>
          ))}
        </ul>
      </details>
    );
  });
}
