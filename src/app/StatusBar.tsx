/**
 * The status bar: the legend of shapes, what the simulation is doing (with Cancel, Continue, Try again), and the digest of the
 * result. Every number is computed.
 */
import { Copy, RefreshCw } from "lucide-react";
import { clockText, countText, numberText } from "../base/format.ts";
import { disabledReason, run } from "../store/commands.ts";
import { shortDigest } from "../store/madeWith.ts";
import { notify } from "../store/notices.ts";
import { runData } from "../store/runData.ts";
import { useShell } from "../store/shellState.ts";
import { useApp } from "../store/store.ts";
import { useIsOldPicture, useRunData } from "../store/useRun.ts";
import { Button } from "../ui/Button.tsx";
import { ProgressBar } from "../ui/Message.tsx";
import { Legend } from "./Legend.tsx";
import { NoticeToast } from "./NoticeArea.tsx";

export function StatusBar() {
  const presenting = useShell((state) => state.presenting);
  return (
    <footer className="status">
      <Legend />
      {!presenting && <NoticeToast />}
      <RunState />
      <UpdateReady />
      <Button
        label="Stored files"
        look="plain"
        hint="Traces kept on this device"
        onClick={() => run("openFiles")}
      />
    </footer>
  );
}

function UpdateReady() {
  const ready = useShell((state) => state.updateReady);
  const busy = useApp((state) => state.side !== "inspector");
  if (!ready) return null;
  return (
    <Button
      label="Update ready"
      look="plain"
      icon={RefreshCw}
      hint="A new version is stored. Reload into it; your work stays"
      disabledReason={busy ? "An editor is open: apply or cancel it first" : null}
      onClick={() => run("takeUpdate")}
    />
  );
}

function RunState() {
  const status = useApp((state) => state.runStatus);
  const reading = useShell((state) => state.reading);
  const opening = useShell((state) => state.opening);
  if (reading !== null) return <div className="status-run">Reading {reading} …</div>;
  switch (status.phase) {
    case "empty":
      return <div className="status-run">{opening ? "" : "No scenario"}</div>;
    case "computing":
      return <Computing />;
    case "cancelled":
      return <Cancelled />;
    case "done":
      return <Done />;
    case "failed":
      return (
        <div className="status-run">
          <span className="status-error" role="alert" title={status.message}>
            The simulation failed: {status.message}
          </span>
          <Button label="Try again" onClick={() => run("resumeRun")} />
        </div>
      );
    case "problems":
    case "traceNeeded":
      return <Done />;
  }
}

function Computing() {
  const data = useRunData();
  // Of the run that is drawn, which another scenario has left behind.
  const progress = useIsOldPicture() ? null : data.progress;
  const calendar = useApp((state) => state.scenario?.calendarStart);
  const share = progress && progress.endMs > 0 ? progress.simulatedMs / progress.endMs : 0;
  const jobsShare = progress && progress.jobs > 0 ? progress.jobsDone / progress.jobs : 0;
  return (
    <div className="status-run">
      <div className="status-progress">
        <ProgressBar
          share={Math.max(Number.isFinite(share) && share < 1 ? share : 0, jobsShare)}
          label="Simulation"
        />
      </div>
      <span>
        {progress
          ? `Computing · ${clockText(progress.simulatedMs, calendar)} · ${numberText(progress.jobsDone)} of ${countText(progress.jobs, "job")} · ${countText(progress.events, "event")}`
          : "Computing"}
      </span>
      <Button label="Cancel" onClick={() => run("cancelRun")} />
    </div>
  );
}

function Cancelled() {
  const { current } = useRunData();
  const calendar = useApp((state) => state.scenario?.calendarStart);
  return (
    <div className="status-run">
      <span>Stopped at {clockText(current.knownMs, calendar)}</span>
      <Button
        label="Continue"
        disabledReason={disabledReason("resumeRun")}
        onClick={() => run("resumeRun")}
      />
    </div>
  );
}

function Done() {
  const { stage, current, progress } = useRunData();
  const seed = useApp((state) => state.scenario?.seed);
  if (!stage || !current.done) return <div className="status-run" />;
  const refused = Object.values(current.refused).reduce((sum, count) => sum + count, 0);
  return (
    <div className="status-run">
      <span className="status-detail">
        seed {seed} · {countText(stage.jobs.count, "job")}
        {refused > 0 ? ` · ${numberText(refused)} refused` : ""}
        {progress ? ` · ${countText(progress.events, "event")}` : ""}
      </span>
      <button
        type="button"
        className="button button-plain"
        aria-label={`Digest ${shortDigest(current.digest)}: copy`}
        title={`Digest of the results, ${current.digest}. Click to copy`}
        onClick={() => void copyDigest()}
      >
        <span className="digest">{digestText(current.digest)}</span>
        <Copy size={11} aria-hidden />
      </button>
    </div>
  );
}

/** `9f3c·41d7`. */
function digestText(digest: string): string {
  const short = shortDigest(digest);
  return short.length === 8 ? `${short.slice(0, 4)}·${short.slice(4)}` : short;
}

async function copyDigest(): Promise<void> {
  const { digest } = runData.get().current;
  await navigator.clipboard.writeText(digest).then(
    () => notify("Digest copied."),
    () => notify(`The browser does not let the page copy. The digest is ${digest}.`),
  );
}
