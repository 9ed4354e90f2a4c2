/** `sshare -l` at one moment: RawUsage as it is, everything else as of the last tick. */
import type { SshareRow } from "../../model/slurm/tables.ts";
import { PARENT_SHARES } from "../accounting/associations.ts";
import type { Usage } from "../accounting/usage.ts";
import { rawUsage } from "../accounting/usage.ts";
import { fairShareOf } from "./fairShare.ts";

/** One row per entry, in the order of the tree. RawUsage is whole, as `sshare` prints it. O(entries). */
export function sshareRows(usage: Usage): SshareRow[] {
  const { tree, shares, config } = usage.setup;
  return tree.limits.map((entry, at) => ({
    account: entry.account,
    user: entry.user,
    depth: tree.depth[at]!,
    rawShares: tree.shares[at] === PARENT_SHARES ? "parent" : tree.shares[at]!,
    normShares: shares.norm[at]!,
    rawUsage: Math.floor(rawUsage(usage, at)),
    normUsage: at === 0 ? Number.NaN : usage.normUsage[at]!,
    effectvUsage: usage.effective[at]!,
    fairShare: config.fairTree && entry.user === "" ? Number.NaN : fairShareOf(usage, at),
    levelFs: !config.fairTree ? 0 : at === 0 ? Number.NaN : usage.levelFs[at]!,
  }));
}
