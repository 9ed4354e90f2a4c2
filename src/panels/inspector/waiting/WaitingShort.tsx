/** Where waiting comes from, in short, for the card of a run: the causes of most waiting in the whole run, and the way to the drawer. */
import { useMemo } from "react";
import { causeRows, hoursText } from "../../../metrics/causeRows.ts";
import type { Stage } from "../../../protocol/messages.ts";
import { run } from "../../../store/commands.ts";
import type { Future } from "../../../store/runData.ts";
import { useApp } from "../../../store/store.ts";
import { useAccount } from "../../../store/useAccount.ts";
import "./waitingShort.css";

const ROWS = 4;

interface WaitingShortProps {
  readonly stage: Stage;
  readonly future: Future;
}

export function WaitingShort({ stage, future }: WaitingShortProps) {
  const toMs = future.done ? future.endMs : 0;
  const known = useAccount(stage, future, { fromMs: 0, toMs, bins: 1 });
  const open = useApp((state) => state.drawer === "waiting");
  const word = stage.cluster.deviceWord;
  const rows = useMemo(() => (known ? causeRows(known.account, word) : []), [known, word]);
  const waited = rows.filter(({ waitedMs }) => waitedMs > 0);
  if (!future.done || waited.length === 0) return null;
  const allMs = waited.reduce((all, { waitedMs }) => all + waitedMs, 0);
  return (
    <section className="waiting-short" aria-label="Where waiting comes from">
      <table>
        <caption>
          Where waiting comes from <span className="quiet">whole run</span>
        </caption>
        <thead>
          <tr>
            <th scope="col">{word}-hours</th>
            <th scope="col">waited</th>
            <th scope="col">idle for it</th>
          </tr>
        </thead>
        <tbody>
          {waited.slice(0, ROWS).map(({ cause, label, meaning, waitedMs, idleMs }) => (
            <tr key={cause} title={meaning}>
              <th scope="row">
                {label}
                <meter
                  className="waiting-part"
                  min={0}
                  max={1}
                  value={waitedMs / allMs}
                  aria-hidden
                />
              </th>
              <td>
                <b>{hoursText(waitedMs)}</b>
              </td>
              <td>{hoursText(idleMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <button
        type="button"
        className="link"
        aria-expanded={open}
        onClick={() => run("toggleDrawer", { drawer: "waiting" })}
      >
        {open ? "Hide it over time" : "Over time, by tier, by job"}
      </button>
    </section>
  );
}
