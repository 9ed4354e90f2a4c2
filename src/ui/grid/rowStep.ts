/** How many rows a key moves the active row of a grid; `undefined` for keys that do not. */
export function stepOf(key: string, rowCount: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: 8,
    PageUp: -8,
    Home: -rowCount,
    End: rowCount,
  };
  return steps[key];
}
