/**
 * A growing table held as a structure of typed arrays: no object per row, transferable without copying.
 *
 *     shape { startMs: "f64", jobIdx: "u32" }   ->   table.at.startMs[row], table.at.jobIdx[row], table.length
 *
 * `reserve` may replace the arrays, so hold `table`, not `table.at.x`, across an append.
 */
export interface ColumnArrays {
  f64: Float64Array<ArrayBuffer>;
  i32: Int32Array<ArrayBuffer>;
  u32: Uint32Array<ArrayBuffer>;
  u16: Uint16Array<ArrayBuffer>;
  u8: Uint8Array<ArrayBuffer>;
}
export type ColumnKind = keyof ColumnArrays;
export type Column = ColumnArrays[ColumnKind];
export type Shape = { readonly [name: string]: ColumnKind };
export type ArraysOf<S extends Shape> = { -readonly [K in keyof S]: ColumnArrays[S[K]] };

const constructors = {
  f64: Float64Array,
  i32: Int32Array,
  u32: Uint32Array,
  u16: Uint16Array,
  u8: Uint8Array,
} as const;

/** Allocates the columns of a shape, all zero. */
export function allocate<S extends Shape>(shape: S, rows: number): ArraysOf<S> {
  const arrays: Record<string, unknown> = {};
  for (const name of Object.keys(shape)) arrays[name] = new constructors[shape[name]!](rows);
  return arrays as ArraysOf<S>;
}

/** Rows `from` (inclusive) to `to` (exclusive) as exact-size copies. O(rows). */
export function sliceColumns<S extends Shape>(
  arrays: ArraysOf<S>,
  from: number,
  to: number,
): ArraysOf<S> {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(arrays)) {
    copy[name] = (arrays[name as keyof S] as Float64Array).slice(from, to);
  }
  return copy as ArraysOf<S>;
}

/** The buffers behind the columns, for a transfer list. */
export function buffersOf(arrays: object): ArrayBuffer[] {
  return Object.values(arrays)
    .filter((value) => ArrayBuffer.isView(value))
    .map((view) => view.buffer as ArrayBuffer);
}

/**
 * Columns that hold the same numbers as one array, so that they are kept, and sent, once. Only for columns that nobody writes to any more. O(bytes) for each pair
 * that is equal, mostly O(1) for others.
 */
export class SharedColumns {
  readonly #known: Column[];

  /** `known`: arrays that are kept anyway. */
  constructor(known: readonly Column[] = []) {
    this.#known = [...known];
  }

  of<T extends Column>(column: T): T {
    const same = this.#known.find((other) => isSame(other, column));
    if (same) return same as T;
    this.#known.push(column);
    return column;
  }

  all<S extends Shape>(arrays: ArraysOf<S>): ArraysOf<S> {
    const shared = Object.entries(arrays).map(([name, column]) => [name, this.of(column)]);
    return Object.fromEntries(shared) as ArraysOf<S>;
  }
}

/** Equal to the bit: −0 and the NaNs are told apart. */
function isSame(a: Column, b: Column): boolean {
  if (a === b) return true;
  if (a.constructor !== b.constructor || a.length !== b.length) return false;
  const left = bitsOf(a);
  const right = bitsOf(b);
  for (let i = 0; i < left.length; i++) if (left[i] !== right[i]) return false;
  return true;
}

function bitsOf(column: Column): Column {
  if (!(column instanceof Float64Array)) return column;
  return new Uint32Array(column.buffer, column.byteOffset, 2 * column.length);
}

const COPY_ROOM = 64;

export class Table<S extends Shape> {
  length = 0;
  at: ArraysOf<S>;
  readonly #shape: S;
  #capacity: number;

  constructor(shape: S, capacity = 1024) {
    this.#shape = shape;
    this.#capacity = Math.max(1, capacity);
    this.at = allocate(shape, this.#capacity);
  }

  /** Makes room for `rows` more rows; amortised O(1) a row. Call before writing `at[...][length]`. */
  reserve(rows: number): void {
    const needed = this.length + rows;
    if (needed <= this.#capacity) return;
    while (this.#capacity < needed) this.#capacity *= 2;
    const grown = allocate(this.#shape, this.#capacity);
    for (const name of Object.keys(this.#shape) as (keyof S)[]) {
      (grown[name] as Float64Array).set(this.at[name] as Float64Array);
    }
    this.at = grown;
  }

  /** A table of its own with the same rows, and room for a few more. O(rows). */
  copy(): Table<S> {
    const made = new Table(this.#shape, this.length + COPY_ROOM);
    made.length = this.length;
    for (const name of Object.keys(this.#shape) as (keyof S)[])
      made.at[name].set(this.at[name].subarray(0, this.length) as never);
    return made;
  }

  /** A table of as many rows, all zero, and room for a few more: for whoever reads only what is added. O(1) beside the zeros, which cost nothing until they are read. */
  blank(): Table<S> {
    const made = new Table(this.#shape, this.length + COPY_ROOM);
    made.length = this.length;
    return made;
  }

  /** An exact-size copy of all rows; the table starts again empty. */
  take(): ArraysOf<S> {
    const rows = sliceColumns<S>(this.at, 0, this.length);
    this.length = 0;
    return rows;
  }
}
