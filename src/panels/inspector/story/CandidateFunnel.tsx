/** The nodes that a waiting job could go to, and what takes them away rule by rule: in all, and by class, leaf or domain. Asked when opened. */
import { useState } from "react";
import { numberText } from "../../../base/format.ts";
import type { Candidates } from "../../../model/lab/candidates.ts";
import type { Stage } from "../../../protocol/messages.ts";
import { policyAt } from "../../../scenario/policyAt.ts";
import { candidatesOf } from "../../../store/explain.ts";
import { useApp } from "../../../store/store.ts";
import { useAsked } from "../../../store/useAsked.ts";
import { funnelLines, leftWords, notToldWords, rowName, unitHead } from "./candidateWords.ts";

const ROWS_MOST = 8;

interface CandidateFunnelProps {
  readonly stage: Stage;
  readonly generation: number;
  readonly jobIdx: number;
  readonly atMs: number;
}

export function CandidateFunnel(props: CandidateFunnelProps) {
  const [open, setOpen] = useState(false);
  return (
    <details className="log" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Which nodes were considered</summary>
      {open && <Funnel {...props} />}
    </details>
  );
}

function Funnel({ stage, generation, jobIdx, atMs }: CandidateFunnelProps) {
  const answer = useAsked(`${generation} ${jobIdx}`, atMs, (at) => candidatesOf(jobIdx, at));
  if (answer.kind === "asking") return <p className="part-note">Going through the nodes …</p>;
  if (answer.kind === "failed")
    return (
      <p className="part-error" role="alert">
        The nodes could not be gone through: {answer.message}
      </p>
    );
  if (answer.value === null) return <NotTold {...{ stage, jobIdx, atMs }} />;
  return (
    <div data-stale={answer.now ? undefined : ""}>
      <Answer found={answer.value} stage={stage} />
    </div>
  );
}

/** Schedulers of the Kubernetes family count what their filters take away and stop at that: the counts stand above, in the sentence why it waits. */
function NotTold({ stage, jobIdx, atMs }: Omit<CandidateFunnelProps, "generation">) {
  const pool = stage.poolIds[stage.poolOfJob[jobIdx]!] ?? "";
  const preset = useApp(({ scenario }) => (scenario ? policyAt(scenario, pool, atMs).preset : ""));
  return <p className="quiet">{notToldWords(stage, preset)}</p>;
}

function Answer({ found, stage }: { readonly found: Candidates; readonly stage: Stage }) {
  const { rows, components } = found;
  const nodes = rows.reduce((sum, row) => sum + row.nodes, 0);
  const lines = funnelLines(rows, found, stage);
  let left = nodes;
  return (
    <>
      <table className="terms funnel" aria-label="What removed nodes">
        <tbody>
          <tr>
            <th scope="row">Nodes of its pool</th>
            <td />
            <td>{numberText(nodes)}</td>
          </tr>
          {lines.map(({ rule, count, words }) => {
            left -= count;
            return (
              <tr key={rule}>
                <th scope="row">{words}</th>
                <td>−{numberText(count)}</td>
                <td>
                  <span className="term-bar" aria-hidden="true">
                    <i style={{ width: `${(100 * left) / Math.max(1, nodes)}%` }} />
                  </span>
                  {numberText(left)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p role="status">
        {leftWords(found, stage.cluster.deviceWord)}
        {components > 1 && " This is of its first component."}
      </p>
      {rows.length > 1 && <Places found={found} stage={stage} />}
    </>
  );
}

function Places({ found, stage }: { readonly found: Candidates; readonly stage: Stage }) {
  const { rows } = found;
  return (
    <>
      <table className="terms places">
        <thead>
          <tr>
            <th scope="col">{found.inOneRow ? "all members in one" : "by place"}</th>
            <th scope="col">nodes</th>
            <th scope="col">left</th>
            <th scope="col">{unitHead(found, stage.cluster.deviceWord)}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, ROWS_MOST).map((row) => {
            const lines = funnelLines([row], found, stage);
            const why = lines.map(({ count, words }) => `${count} ${words}`).join("; ");
            return (
              <tr key={row.index} title={why}>
                <th scope="row">{rowName(row, stage)}</th>
                <td>{numberText(row.nodes)}</td>
                <td>{numberText(row.left)}</td>
                <td>{numberText(row.members)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {rows.length > ROWS_MOST && (
        <p className="quiet">and {numberText(rows.length - ROWS_MOST)} more with less room</p>
      )}
    </>
  );
}
