import { numberText } from "../../base/format.ts";

/** "412 kB", "3.4 MB". */
export function sizeText(bytes: number): string {
  return bytes < 1e6
    ? `${numberText(Math.max(1, Math.round(bytes / 1e3)))}\u00a0kB`
    : `${numberText(bytes / 1e6, 1)}\u00a0MB`;
}
