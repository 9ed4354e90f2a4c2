/** Names of curves. A name is remembered on devices and stands in links: it never changes its meaning. */
const CURVE_IDS = [
  "held",
  "use",
  "demand",
  "waited",
  "waitedTiers",
  "waiting",
  "waits",
  "stops",
  "teams",
  "fragmentation",
  "free",
  "cost",
  "costPerHour",
] as const;
type PlainId = (typeof CURVE_IDS)[number];
/** `team:3` is what the team with that number holds, against what is due to it. */
export type CurveId = PlainId | `team:${number}`;

export function isCurveId(text: string): text is CurveId {
  return (CURVE_IDS as readonly string[]).includes(text) || /^team:\d+$/.test(text);
}
