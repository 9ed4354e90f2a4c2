/** The two plots of the curves strip: held devices above, waited-for devices below, in the ratio 44 : 32 of the design. */
export interface CurveBox {
  readonly topCss: number;
  readonly heightCss: number;
}

const GAP_CSS = 10;
const PAD_CSS = 5;

export function curveBoxes(heightCss: number): {
  readonly held: CurveBox;
  readonly waited: CurveBox;
} {
  const free = Math.max(4, heightCss - GAP_CSS - 2 * PAD_CSS);
  const heldCss = Math.round((free * 44) / 76);
  return {
    held: { topCss: PAD_CSS, heightCss: heldCss },
    waited: { topCss: PAD_CSS + heldCss + GAP_CSS, heightCss: free - heldCss },
  };
}
