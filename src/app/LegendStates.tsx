/** Shapes of the legend that only runs of the policy lab have: what a run does that is no progress, parts of devices, nodes on their way, rounds. */
import type { ReactNode } from "react";
import { MemberStateCode } from "../model/states.ts";
import { everAdmits } from "../scenario/policyAt.ts";
import { useApp } from "../store/store.ts";
import { Occurs } from "../timeline/occurs.ts";

const HUE = "var(--tier3)";
const neutral = (
  <rect x=".5" y=".5" width="25" height="11" fill="var(--raise)" stroke="var(--rule)" />
);
const pale = <rect width="26" height="12" fill="var(--tier3-pale)" />;

interface StateGlyph {
  readonly text: string;
  readonly bits: number;
  readonly glyph: ReactNode;
}

const bit = (state: keyof typeof MemberStateCode) => 1 << MemberStateCode[state];

const STATES: readonly StateGlyph[] = [
  {
    text: "saves",
    bits: bit("checkpointing"),
    glyph: (
      <g>
        <rect width="26" height="12" fill={HUE} />
        <path d="M0 1.5h26M0 4.5h26M0 7.5h26M0 10.5h26" stroke="var(--bg)" />
      </g>
    ),
  },
  {
    text: "restores",
    bits: bit("restoring"),
    glyph: (
      <g>
        {pale}
        <path d="M0 1.5h26M0 4.5h26M0 7.5h26M0 10.5h26" stroke={HUE} />
      </g>
    ),
  },
  {
    text: "admitted, waits for nodes",
    bits: Occurs.admitted,
    glyph: (
      <g stroke={HUE}>
        <rect x=".5" y="2.5" width="25" height="7" fill="none" />
        <path d="M4.5 2v8M8.5 2v8M12.5 2v8M16.5 2v8M20.5 2v8" />
      </g>
    ),
  },
  {
    text: "starts up",
    bits: bit("starting"),
    glyph: (
      <g>
        {pale}
        <path
          d="M1.5 0v12M5.5 0v12M9.5 0v12M13.5 0v12M17.5 0v12M21.5 0v12M25.5 0v12"
          stroke={HUE}
        />
      </g>
    ),
  },
  {
    text: "suspended, or waits for members",
    bits: bit("suspended") | bit("held"),
    glyph: (
      <g>
        {pale}
        <path
          d="M-6 0 6 12M0 0 12 12M6 0 18 12M12 0 24 12M18 0 30 12"
          stroke={HUE}
          strokeWidth="2"
        />
      </g>
    ),
  },
  {
    text: "told to end",
    bits: bit("ending"),
    glyph: (
      <g>
        {pale}
        {[2, 6, 10].map((y) => (
          <path key={y} d={`M1 ${y}h25`} stroke={HUE} strokeDasharray="1 2" />
        ))}
      </g>
    ),
  },
  {
    text: "hangs",
    bits: bit("stalled"),
    glyph: (
      <g>
        {pale}
        <path d="M0 12 12 0M8 12 20 0M16 12 28 0M0 0l12 12M8 0l12 12M16 0l12 12" stroke={HUE} />
      </g>
    ),
  },
  {
    text: "part of a device",
    bits: Occurs.part,
    glyph: (
      <g fill={HUE}>
        <rect width="18" height="3" />
        <rect x="4" y="4.5" width="22" height="6" />
      </g>
    ),
  },
  {
    text: "node boots",
    bits: Occurs.boots,
    glyph: (
      <g>
        {neutral}
        <path d="M2.5 0v12M6.5 0v12M10.5 0v12M14.5 0v12M18.5 0v12M22.5 0v12" stroke="var(--rule)" />
      </g>
    ),
  },
  {
    text: "device cut anew for MIG",
    bits: Occurs.cut,
    glyph: (
      <g>
        <path d="M0 3.5h26M0 8.5h26" stroke="var(--line2)" />
        <path d="M6 4h20v4H6z" fill="var(--raise)" />
        <path d="M8.5 4v4M12.5 4v4M16.5 4v4M20.5 4v4M24.5 4v4" stroke="var(--rule)" />
      </g>
    ),
  },
  {
    text: "node not there",
    bits: Occurs.boots,
    glyph: <rect width="26" height="12" fill="var(--raise)" />,
  },
  {
    text: "node changes pool",
    bits: Occurs.moves,
    glyph: (
      <g>
        {neutral}
        <path
          d="m1 1 5 5-5 5M8 1l5 5-5 5M15 1l5 5-5 5"
          fill="none"
          stroke="var(--stripe)"
          strokeWidth="2.4"
        />
      </g>
    ),
  },
  {
    text: "device failed, node goes on",
    bits: Occurs.device,
    glyph: (
      <g>
        <path d="M0 3.5h26M0 8.5h26" stroke="var(--line2)" />
        <path d="M6 4h20v4H6z" fill="var(--raise)" />
        <path d="m8 4 4 4m2-4 4 4m2-4 4 4" stroke="var(--stripe)" strokeWidth="1.6" />
        <path d="m1 2 8 8M9 2l-8 8" stroke="var(--bg)" strokeWidth="5" />
        <path d="m1 2 8 8M9 2l-8 8" stroke="var(--signal)" strokeWidth="2" />
      </g>
    ),
  },
  {
    text: "gave way at a round",
    bits: Occurs.round,
    glyph: (
      <g>
        <path d="M0 3h22l-5 4.5L22 12H0z" fill={HUE} />
        <path d="M17 0h9l-4.5 4z" fill="var(--ink2)" />
      </g>
    ),
  },
];

/** Those of `occurs` (bits of `useOccurs`). Where no scheduler admits, a decision `admit` is a replica of a service that is wanted, which no lane stripes. */
export function LegendStates({ occurs }: { readonly occurs: number }) {
  const admits = useApp(({ scenario }) => scenario !== null && everAdmits(scenario));
  const shown = admits ? occurs : occurs & ~Occurs.admitted;
  return STATES.filter(({ bits }) => (bits & shown) !== 0).map(({ text, glyph }) => (
    <li key={text}>
      <svg width="26" height="12" aria-hidden overflow="hidden">
        {glyph}
      </svg>
      {text}
    </li>
  ));
}
