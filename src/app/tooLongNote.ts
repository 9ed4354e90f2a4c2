/**
 * Says once that a document has become too long for a link, and takes that back when it has become short again: by Undo, or by another scenario. A message
 * that has been dismissed does not come back for the same length.
 */
import { type Banner, useShell } from "../store/shellState.ts";

const NOTE: Banner = {
  kind: "note",
  title: "This document is too long for a link.",
  detail: "It is kept on this device; to send it, save it as a file (Ctrl+S).",
};

let tooLong = false;

/** After each change of the document. */
export function noteLength(isTooLong: boolean): void {
  if (isTooLong === tooLong) return;
  tooLong = isTooLong;
  if (isTooLong) useShell.setState({ banner: NOTE });
  else if (useShell.getState().banner === NOTE) useShell.setState({ banner: null });
}
