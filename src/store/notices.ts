/** One line for the toast and the live region. `undo` offers Undo beside it. */
import { useApp } from "./store.ts";

let serial = 0;

export function notify(text: string, undo = false): void {
  serial += 1;
  useApp.setState({ notice: { text, undo, serial } });
}

export function dismissNotice(): void {
  useApp.setState({ notice: null });
}
