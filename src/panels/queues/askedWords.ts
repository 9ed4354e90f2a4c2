/** How much a job asks for, in as few letters as a strip has room for. */
import { WHOLE_DEVICE } from "../../model/units.ts";
import type { Stage } from "../../protocol/messages.ts";

/** GPUs of a job: "8"; of members that share one "3 × 0.25", of slices "2 × 1g.10gb". O(its components). */
export function askedWords({ at, components, migProfiles }: Stage["jobs"], jobIdx: number): string {
  const parts: string[] = [];
  let whole = at.gpuTotal[jobIdx]!;
  const first = at.firstComponent[jobIdx]!;
  const end = at.firstComponent[jobIdx + 1] ?? first + 1;
  for (let row = first; row < end; row++) {
    const share = components.shareMilli[row]!;
    const mig = components.mig[row]!;
    if (share === 0 && mig === 0) continue;
    const members = components.members[row]!;
    whole -= members;
    const part = share > 0 ? String(share / WHOLE_DEVICE) : (migProfiles?.[mig - 1] ?? "slice");
    parts.push(`${members} × ${part}`);
  }
  return [...(whole > 0 || parts.length === 0 ? [String(whole)] : []), ...parts].join(" + ");
}
