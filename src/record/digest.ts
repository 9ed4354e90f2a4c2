/**
 * The digest of a run: SHA-256 over canonical rows, one for each closed run in order of closing, then one for each run still
 * open, in job order. It does not depend on chunks, slices, snapshots or tracing, and its state can be copied.
 *
 *     row, little endian:  job u32 | run u16 | endState u8 | startReason u8 | stopReason u8 | 0 u8 | devices u16 | allocation u32
 *                          | startMs f64 | endMs f64 (−1 = open)                                              = 32 bytes
 *
 * `allocation` mixes every (node, device, count, part) that the run was given, in order.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

const ROW_BYTES = 32;
const BUFFER_ROWS = 128;

export class RunDigest {
  #hash = sha256.create();
  #buffer = new Uint8Array(ROW_BYTES * BUFFER_ROWS);
  #view = new DataView(this.#buffer.buffer);
  #length = 0;
  /** Rows since they were taken last, where they are kept: what has left the buffer, and from where on in it. */
  #kept: Uint8Array[] | null = null;
  #keptFrom = 0;

  row(
    jobIdx: number,
    run: number,
    endState: number,
    startReason: number,
    stopReason: number,
    devices: number,
    allocation: number,
    startMs: number,
    endMs: number,
  ): void {
    const view = this.#view;
    const at = this.#length;
    view.setUint32(at, jobIdx, true);
    view.setUint16(at + 4, run, true);
    view.setUint8(at + 6, endState);
    view.setUint8(at + 7, startReason);
    view.setUint8(at + 8, stopReason);
    view.setUint8(at + 9, 0);
    view.setUint16(at + 10, devices, true);
    view.setUint32(at + 12, allocation, true);
    view.setFloat64(at + 16, startMs, true);
    view.setFloat64(at + 24, endMs, true);
    this.#length = at + ROW_BYTES;
    if (this.#length === this.#buffer.length) this.#flush();
  }

  /** From now on rows are kept as bytes, to be taken. 32 bytes a run. */
  keepRows(): void {
    this.#kept = [];
    this.#keptFrom = this.#length;
  }

  /** The rows written since `keepRows` or the last call, as `rows` takes them. O(rows). */
  takeRows(): Uint8Array {
    const parts = [...(this.#kept ?? []), this.#buffer.subarray(this.#keptFrom, this.#length)];
    const rows = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      rows.set(part, at);
      at += part.length;
    }
    this.keepRows();
    return rows;
  }

  /** Rows that another run wrote. */
  rows(bytes: Uint8Array): void {
    this.#flush();
    this.#hash.update(bytes);
  }

  #flush(): void {
    this.#kept?.push(this.#buffer.slice(this.#keptFrom, this.#length));
    this.#hash.update(this.#buffer.subarray(0, this.#length));
    this.#length = 0;
    this.#keptFrom = 0;
  }

  /** A copy that goes on independently: for snapshots, and to read the digest in the middle of a run. */
  copy(): RunDigest {
    const copy = new RunDigest();
    copy.#hash = this.#hash.clone();
    copy.#buffer.set(this.#buffer.subarray(0, this.#length));
    copy.#length = this.#length;
    return copy;
  }

  /** Ends this digest; use a copy to go on. */
  hex(): string {
    this.#hash.update(this.#buffer.subarray(0, this.#length));
    return bytesToHex(this.#hash.digest());
  }
}
