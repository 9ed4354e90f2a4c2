/** What a picture of the map is drawn from, and what its parts share. */
import type { MapLayout } from "../../timeline/topologyMap/mapLayout.ts";
import type { MapState } from "../../timeline/topologyMap/mapState.ts";
import type { ColourMode, FillStyle } from "./mapColours.ts";

export interface MapPicture {
  readonly layout: MapLayout;
  readonly state: MapState;
  readonly mode: ColourMode;
  readonly styles: readonly FillStyle[];
  readonly styleOfJob: Uint8Array;
  /** Of each job, where the map is coloured by it. */
  readonly loadOfJob: ReadonlyMap<number, number>;
  /** Demand over capacity of each leaf's uplinks, where known. */
  readonly loadOfLeaf: Float64Array | null;
  /** 1 = the job is drawn in full; empty = all are. */
  readonly lit: Uint8Array;
  /** The selected job, −1 = none. */
  readonly jobIdx: number;
  /** Places of the selected job. */
  readonly jobUnits: ReadonlySet<number>;
  readonly jobBlocks: ReadonlySet<number>;
  readonly unitNames: readonly string[];
  readonly spineNames: readonly string[];
  readonly domainNames: readonly string[];
  /** Upper left of the view in the content. */
  readonly leftCss: number;
  readonly topCss: number;
  readonly widthCss: number;
  readonly heightCss: number;
}

/** Whether a box of the content is to be seen. */
export function inView(picture: MapPicture, x: number, y: number, w: number, h: number): boolean {
  const { leftCss, topCss, widthCss, heightCss } = picture;
  return x + w >= leftCss && y + h >= topCss && x <= leftCss + widthCss && y <= topCss + heightCss;
}
