/** The legend of shapes: what a bar means by its form, whatever its hue. What not every run has is named where it occurs. */
import { lazy, type ReactNode, Suspense } from "react";
import { MemberStateCode } from "../model/states.ts";
import { useOccurs } from "../store/recordHas.ts";
import { keepsNodes } from "../store/slurmPools.ts";
import { useApp } from "../store/store.ts";
import { Occurs } from "../timeline/occurs.ts";

const LegendStates = lazy(async () => ({
  default: (await import("./LegendStates.tsx")).LegendStates,
}));
/** What the other shapes below stand for. */
const PLAIN = (1 << MemberStateCode.running) | Occurs.lost | Occurs.failed | Occurs.closed;

const HUE = "var(--tier3)";

/** With a third entry: shown where these bits occur. */
type Glyph = readonly [string, ReactNode, number?];

const GLYPHS: readonly Glyph[] = [
  ["running", <rect key="a" width="26" height="12" fill={HUE} />],
  [
    "not yet played",
    <rect key="a" x=".5" y=".5" width="25" height="11" fill="var(--tier3-pencil)" stroke={HUE} />,
  ],
  ["waiting", <rect key="a" x=".5" y="3.5" width="25" height="5" fill="none" stroke={HUE} />],
  [
    "planned",
    <rect
      key="a"
      x="1"
      y="1"
      width="24"
      height="10"
      fill="none"
      stroke="var(--ink)"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeDasharray="0.1 3.4"
    />,
  ],
  [
    "lost work",
    <g key="a">
      <rect width="26" height="12" fill="var(--tier3-pale)" />
      <path d="M0 11 11 0M7 12 19 0M15 12 26 1" stroke="var(--signal)" strokeWidth="2" />
    </g>,
    Occurs.lost,
  ],
  [
    "failed",
    <g key="a">
      <rect width="18" height="12" fill={HUE} />
      <path d="m13 1 10 10M23 1 13 11" stroke="var(--bg)" strokeWidth="5" />
      <path d="m13 1 10 10M23 1 13 11" stroke="var(--signal)" strokeWidth="2" />
    </g>,
    Occurs.failed,
  ],
  [
    "drained",
    <g key="a">
      <rect x=".5" y=".5" width="25" height="11" fill="none" stroke="var(--stripe)" />
      <path d="M1 11 12 0M8 12 20 0M16 12 25 3" stroke="var(--stripe)" strokeWidth="2.4" />
    </g>,
    Occurs.closed,
  ],
  [
    "idle while work waits",
    <g key="a">
      <rect width="26" height="12" fill="var(--idle)" />
      <g fill="var(--idle-dot)">
        {[3, 9, 15, 21].flatMap((x) => [
          <circle key={`${x}a`} cx={x} cy="3.5" r="0.9" />,
          <circle key={`${x}b`} cx={x + 3} cy="8.5" r="0.9" />,
        ])}
      </g>
    </g>,
  ],
];

const RESERVED: Glyph = [
  "reserved",
  <g key="a" fill="none">
    <path d="M0 12 12 0M9 12 21 0M18 12 30 0" stroke="var(--stripe)" />
    <rect x=".5" y=".5" width="25" height="11" stroke="var(--ink2)" strokeDasharray="5 3" />
  </g>,
];

export function Legend() {
  const reserves = useApp((state) => keepsNodes(state.scenario));
  const occurs = useOccurs();
  const own = GLYPHS.filter(([, , bits]) => bits === undefined || (bits & occurs) !== 0);
  const glyphs = reserves ? [...own, RESERVED] : own;
  return (
    <ul className="legend" aria-label="Legend">
      {glyphs.map(([text, glyph]) => (
        <li key={text}>
          <svg width="26" height="12" aria-hidden overflow="hidden">
            {glyph}
          </svg>
          {text}
        </li>
      ))}
      {(occurs & ~PLAIN) !== 0 && (
        <Suspense>
          <LegendStates occurs={occurs} />
        </Suspense>
      )}
    </ul>
  );
}
