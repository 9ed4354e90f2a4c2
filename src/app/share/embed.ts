/** The snippet that shows panels of this page within another: `?embed=` with the names of the panels, and the link. */
import { escapeXml } from "./picture/escapeXml.ts";

export const EMBED_PANELS = ["gantt", "queues", "curves", "topology", "map"] as const;
export type EmbedPanel = (typeof EMBED_PANELS)[number];

export const EMBED_WORDS: Readonly<Record<EmbedPanel, string>> = {
  gantt: "Gantt",
  queues: "Queues",
  curves: "Curves",
  topology: "Cluster at the cursor",
  map: "Map of the cluster",
};

const HEIGHT_PX: Readonly<Record<EmbedPanel, number>> = {
  gantt: 420,
  queues: 200,
  curves: 160,
  topology: 420,
  map: 480,
};

/** Of the time axis, which stands above panels over time. */
const AXIS_PX = 25;

/** The address of the panels, from a whole link. */
function embedAddress(link: string, panels: readonly EmbedPanel[]): string {
  const url = new URL(link);
  url.search = `?embed=${panels.join(",")}`;
  return url.href;
}

/** An `iframe` as text, its attributes escaped. */
export function embedSnippet(link: string, panels: readonly EmbedPanel[], title: string): string {
  const timed = panels.some((panel) => panel !== "topology" && panel !== "map");
  const height = panels.reduce((sum, panel) => sum + HEIGHT_PX[panel], timed ? AXIS_PX : 0);
  return `<iframe src="${escapeXml(embedAddress(link, panels))}" title="${escapeXml(title)}" width="100%" height="${height}" style="border:0" loading="lazy"></iframe>`;
}
