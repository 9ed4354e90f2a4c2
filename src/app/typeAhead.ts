/**
 * What is typed between opening the command palette and its first frame: it belongs to the palette, not to the sheet. Reading
 * it changes nothing, because a render may be thrown away.
 */
let typed = "";

/** Takes a press that comes before the palette has the focus; only what would write into it counts. */
export function noteTyped(press: {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}): void {
  if (press.ctrlKey || press.metaKey) return;
  if (press.key === "Backspace") typed = typed.slice(0, -1);
  else if ([...press.key].length === 1) typed += press.key;
}

export function typedAhead(): string {
  return typed;
}

/** Forgets it: the next palette begins empty. */
export function clearTyped(): void {
  typed = "";
}
