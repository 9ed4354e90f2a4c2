/**
 * A small linear programme by the simplex method on a dense table: maximise c·x with A·x ≤ b, x ≥ 0, where every b is at least 0, so that
 * x = 0 is a start. Bland's rule (the lowest index enters and leaves) cannot cycle. For some hundreds of unknowns.
 */
const TINY = 1e-9;

/** The best x. Throws where there is no bound. O(steps × rows × columns). */
export function maximize(
  c: readonly number[],
  rows: readonly (readonly number[])[],
  b: readonly number[],
): Float64Array {
  const unknowns = c.length;
  const width = unknowns + rows.length + 1;
  const table = rows.map((row, at) => {
    const line = new Float64Array(width);
    line.set(row);
    line[unknowns + at] = 1;
    line[width - 1] = b[at]!;
    return line;
  });
  const goal = new Float64Array(width);
  for (let at = 0; at < unknowns; at++) goal[at] = -c[at]!;
  const basis = rows.map((_, at) => unknowns + at);
  for (;;) {
    const enters = goal.findIndex((value, at) => at < width - 1 && value < -TINY);
    if (enters < 0) break;
    const leaves = leavingRow(table, basis, enters);
    if (leaves < 0) throw new Error("the programme has no bound");
    pivot(table, goal, leaves, enters);
    basis[leaves] = enters;
  }
  const x = new Float64Array(unknowns);
  basis.forEach((column, row) => {
    if (column < unknowns) x[column] = table[row]![width - 1]!;
  });
  return x;
}

function leavingRow(table: readonly Float64Array[], basis: readonly number[], enters: number) {
  let best = -1;
  let bestRatio = Number.POSITIVE_INFINITY;
  table.forEach((line, row) => {
    const value = line[enters]!;
    if (value <= TINY) return;
    const ratio = line[line.length - 1]! / value;
    const ties = Math.abs(ratio - bestRatio) <= TINY;
    if (ratio < bestRatio - TINY || (ties && basis[row]! < basis[best]!)) {
      best = row;
      bestRatio = ratio;
    }
  });
  return best;
}

function pivot(table: Float64Array[], goal: Float64Array, row: number, column: number): void {
  const line = table[row]!;
  const by = line[column]!;
  for (let at = 0; at < line.length; at++) line[at]! /= by;
  for (const other of [...table, goal]) {
    const factor = other[column]!;
    if (other === line || factor === 0) continue;
    for (let at = 0; at < line.length; at++) other[at]! -= factor * line[at]!;
  }
}
