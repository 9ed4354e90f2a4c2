/** One team's bar: solid = of its own in use, empty = idle, hatched L = lent, dotted B = borrowed; the rule stands at its quota. */
import { amountText } from "../../../base/format.ts";
import { type Held, type QuotaKind, quotaParts, quotaWords } from "./quotaParts.ts";
import "./quotaBar.css";

const LETTERS: Readonly<Record<QuotaKind, string>> = {
  own: "",
  idle: "",
  lent: "L",
  borrowed: "B",
  beyond: "+",
};
/** A stretch narrower than this share of the bar has no room for its letter. */
const LETTER_SHARE = 0.12;

export function QuotaBar({ row, scale }: { readonly row: Held; readonly scale: number }) {
  const parts = quotaParts(row);
  if (parts.length === 0) return <>–</>;
  const percent = (value: number) => `${(100 * value) / scale}%`;
  return (
    <span className="quota-bar" role="img" aria-label={quotaWords(row)}>
      {parts.map(({ kind, from, to }) => (
        <span
          key={kind}
          className="quota-part"
          data-kind={kind}
          style={{ left: percent(from), width: percent(to - from) }}
        >
          {LETTERS[kind] !== "" && to - from >= scale * LETTER_SHARE && (
            <b>
              {LETTERS[kind]} {amountText(to - from)}
            </b>
          )}
        </span>
      ))}
      <span className="quota-rule" style={{ left: percent(row.gpusDue) }} />
    </span>
  );
}

/** The key to the bars. */
export function QuotaKey() {
  return (
    <span className="quota-key" aria-hidden="true">
      {(["own", "idle", "lent", "borrowed"] as const).map((kind) => (
        <span key={kind}>
          <span className="quota-part" data-kind={kind} />
          {LETTERS[kind] === "" ? "" : `${LETTERS[kind]} `}
          {kind === "own" ? "own, in use" : kind === "idle" ? "own, idle" : kind}
        </span>
      ))}
    </span>
  );
}
