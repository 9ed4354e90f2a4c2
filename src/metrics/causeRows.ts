/** The rows of the drawer: causes that occur in an account, most waited first, then idle time that no job answers for. */
import { numberText } from "../base/format.ts";
import { causeWords } from "../model/causeWords.ts";
import { HOUR_MS } from "../model/units.ts";
import { WAIT_CAUSES } from "../model/waitCauses.ts";
import type { WaitAccount } from "./waitAccount.ts";

export interface CauseRow {
  /** Place in `WAIT_CAUSES`; −1 = idle without demand. */
  readonly cause: number;
  readonly label: string;
  readonly meaning: string;
  /** In all, device-ms. */
  readonly waitedMs: number;
  readonly idleMs: number;
  /** By bin, device-ms. */
  readonly waited: Float64Array;
  readonly idle: Float64Array;
}

const sum = (values: Float64Array): number => values.reduce((all, each) => all + each, 0);
const CLOSED = WAIT_CAUSES.indexOf("closed");

/** O(bins × causes). */
export function causeRows(account: WaitAccount, word: string): CauseRow[] {
  const { bins } = account.range;
  const nothing = new Float64Array(bins);
  const rows = WAIT_CAUSES.map((name, cause): CauseRow => {
    const waited = account.waited.subarray(cause * bins, (cause + 1) * bins);
    const answered = account.idle.subarray(cause * bins, (cause + 1) * bins);
    const idle = cause === CLOSED ? answered.map((ms, bin) => ms + account.closed[bin]!) : answered;
    return {
      cause,
      ...causeWords(name, word),
      waitedMs: sum(waited),
      idleMs: sum(idle),
      waited,
      idle,
    };
  });
  const spare: CauseRow = {
    cause: -1,
    label: "no demand",
    meaning: `${word}s were idle, and fewer were waited for than were idle.`,
    waitedMs: 0,
    idleMs: sum(account.spare),
    waited: nothing,
    idle: account.spare,
  };
  return [...rows, spare]
    .filter(({ waitedMs, idleMs }) => waitedMs > 0 || idleMs > 0)
    .sort((a, b) => b.waitedMs - a.waitedMs || b.idleMs - a.idleMs || a.cause - b.cause);
}

/** Device-hours, as many digits as say something; a dash where there is nothing. */
export function hoursText(deviceMs: number): string {
  const hours = deviceMs / HOUR_MS;
  if (hours <= 0) return "–";
  return hours < 0.05 ? "<0.1" : numberText(hours, hours < 100 ? 1 : 0);
}
