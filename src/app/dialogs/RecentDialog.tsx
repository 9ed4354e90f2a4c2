/** Scenarios that were open on this device: what they are called, when, how large, how often changed; each and all can be forgotten. */
import { Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { countText, numberText } from "../../base/format.ts";
import { readScenario } from "../../scenario/read.ts";
import { run } from "../../store/commands.ts";
import type { Recent } from "../../store/database.ts";
import { openDocument } from "../../store/documents.ts";
import { notify } from "../../store/notices.ts";
import { forgetRecents, RECENTS_MOST, recentScenarios } from "../../store/recents.ts";
import { closeDialog, showProblems } from "../../store/shellState.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Message } from "../../ui/Message.tsx";
import { focusOpened } from "../layers.ts";
import { agoText } from "../share/agoText.ts";
import "./share.css";

export function RecentDialog() {
  const [recents, setRecents] = useState<readonly Recent[] | null>(null);
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    void recentScenarios().then(setRecents);
  }, []);
  const forget = async (ids: readonly string[]): Promise<void> => {
    setAsked(false);
    if (!(await forgetRecents(ids)))
      notify("This browser does not let the page delete. Reload the page and try again.");
    setRecents(await recentScenarios());
  };
  const all = recents ?? [];
  return (
    <Dialog
      title="Recent scenarios"
      description={`What you worked on in this browser, with its changes and the moment you left it; the last ${RECENTS_MOST}. Nothing of it leaves this device.`}
      size="large"
      open
      onClose={closeDialog}
      actions={
        <>
          {all.length > 0 && (
            <Button
              label={asked ? `Delete all ${all.length}: press again` : "Delete all"}
              icon={Trash2}
              onClick={() => (asked ? void forget(all.map(({ id }) => id)) : setAsked(true))}
            />
          )}
          <Button label="Library" onClick={() => run("openLibrary")} />
        </>
      }
    >
      {recents === null ? null : all.length === 0 ? (
        <Message title="Nothing yet.">
          A scenario appears here once it is yours: changed, new, or opened from a link or a file.
        </Message>
      ) : (
        <table className="files recents">
          <thead>
            <tr>
              <th>Scenario</th>
              <th>Left</th>
              <th className="n">Jobs</th>
              <th className="n">Changes</th>
              <th />
            </tr>
          </thead>
          <tbody>
            {all.map((recent) => (
              <RecentRow
                key={recent.id}
                recent={recent}
                onForget={() => void forget([recent.id])}
              />
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  );
}

interface RowProps {
  readonly recent: Recent;
  readonly onForget: () => void;
}

function RecentRow({ recent, onForget }: RowProps) {
  const { scenario, openedAtMs } = recent;
  return (
    <tr>
      <td>
        <button type="button" className="recent-open" onClick={() => void open(recent)}>
          {scenario.title}
        </button>
      </td>
      <td>{agoText(openedAtMs, Date.now())}</td>
      <td className="n">{jobsOf(scenario)}</td>
      <td className="n">{numberText(scenario.interventions.length)}</td>
      <td>
        <Button label={`Delete ${scenario.title}`} icon={Trash2} look="icon" onClick={onForget} />
      </td>
    </tr>
  );
}

function jobsOf({ workload }: Recent["scenario"]): string {
  if (workload.trace) return `log ${workload.trace.name}`;
  if (workload.jobs.length === 0) return "drawn";
  return `${numberText(workload.jobs.length)}${workload.synthetic.length > 0 ? " and drawn" : ""}`;
}

/** What lies on the device may be from another version of the page. */
async function open({ scenario, baseId, view }: Recent): Promise<void> {
  closeDialog();
  const read = readScenario(scenario);
  if (!read.ok) {
    showProblems("This scenario was kept by another version and cannot be opened.", read.error);
    return;
  }
  const title = `“${read.value.title}”`;
  if (!(await openDocument({ scenario: read.value, baseId, view }, `Open ${title}`))) return;
  notify(`${title} opened, with ${countText(read.value.interventions.length, "change")}.`, true);
  focusOpened();
}
