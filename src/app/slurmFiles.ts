/**
 * What becomes of the files of a Slurm cluster that were read. With a slurm.conf the user is asked: a scenario of its own, or this
 * cluster under the open jobs. The other files say nothing alone: they join the configuration that is open, with Undo.
 */
import { countText } from "../base/format.ts";
import type { Scenario } from "../scenario/schema.ts";
import { editDocument } from "../store/documents.ts";
import { notify } from "../store/notices.ts";
import type { ReadSlurm } from "../store/shellState.ts";
import { showDialog, showProblems, showUnopened } from "../store/shellState.ts";
import { useApp } from "../store/store.ts";

/** `then`: what else was dropped has its turn once a scenario is open. */
export async function takeSlurmFiles(read: ReadSlurm, then: () => void): Promise<void> {
  const names = read.files.map((file) => file.name).join(", ");
  if (read.own !== null) {
    const wrong = read.own.kind === "problems" && read.joined?.kind !== "scenario";
    if (wrong && read.own.kind === "problems")
      showProblems(`${names} cannot be opened; nothing was changed.`, read.own.problems);
    else showDialog({ kind: "slurmFiles", read, then });
    return;
  }
  const { scenario } = useApp.getState();
  if (scenario === null || !hasConf(scenario)) {
    showUnopened(
      `${names} needs a slurm.conf; nothing was changed.`,
      "It says something about the nodes and partitions that a slurm.conf names. Drop that file first, or all of them together.",
    );
    return;
  }
  const { joined } = read;
  if (joined === null) return;
  if (joined.kind === "problems") {
    showProblems(`${names} does not fit the open cluster; nothing was changed.`, joined.problems);
    return;
  }
  // Checked by the worker, which is ours.
  const next = JSON.parse(joined.json) as Scenario;
  if (!(await editDocument(next, `Read ${names}`))) return;
  const notHeeded = joined.notes.filter((note) => note.kind === "notModelled").length;
  const notes = notHeeded === 0 ? "" : ` ${countText(notHeeded, "line")} not modelled.`;
  notify(`${names} joined the open configuration.${notes}`, true);
  then();
}

function hasConf(scenario: Scenario): boolean {
  return scenario.pools.some(
    ({ policy }) => policy.preset === "slurm" && (policy.slurm?.conf ?? "").trim() !== "",
  );
}
