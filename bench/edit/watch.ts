/**
 * Runs in the page before anything else: notes when chunks arrive and when the Gantt is painted, counts the bytes of columns in every
 * message from the worker, and keeps the browser's long tasks. It changes nothing of what the page does.
 */
export interface Watched {
  bytes: number;
  stageBytes: number;
  /** Arrivals of chunks: wall clock of the page, and the simulated time they reach. */
  chunks: { atMs: number; toMs: number; bytes: number; generation: number }[];
  doneAtMs: number;
  paints: number[];
  tasks: { atMs: number; ms: number }[];
}

export function watchPage(): void {
  const seen: Watched = { bytes: 0, stageBytes: 0, chunks: [], doneAtMs: 0, paints: [], tasks: [] };
  Object.assign(window, { seen });
  const buffersIn = (value: unknown, found: Set<ArrayBufferLike>): void => {
    if (ArrayBuffer.isView(value)) found.add(value.buffer);
    else if (value instanceof ArrayBuffer) found.add(value);
    else if (value instanceof Map) for (const entry of value.values()) buffersIn(entry, found);
    else if (typeof value === "object" && value !== null)
      for (const entry of Object.values(value)) buffersIn(entry, found);
  };
  const hear = (data: unknown): void => {
    const found = new Set<ArrayBufferLike>();
    buffersIn(data, found);
    let bytes = 0;
    for (const buffer of found) bytes += buffer.byteLength;
    seen.bytes += bytes;
    const message = data as { kind?: string; generation?: number; chunk?: { toMs: number } } | null;
    if (message?.kind === "chunk" && message.chunk)
      seen.chunks.push({
        atMs: performance.now(),
        toMs: message.chunk.toMs,
        bytes,
        generation: message.generation ?? 0,
      });
    else seen.stageBytes += bytes;
    if (message?.kind === "done") seen.doneAtMs = performance.now();
  };
  const Own = window.Worker;
  window.Worker = class extends Own {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      this.addEventListener("message", (event) => hear(event.data));
    }
  };
  const Channel = window.MessageChannel;
  window.MessageChannel = class extends Channel {
    constructor() {
      super();
      this.port1.addEventListener("message", (event) => hear(event.data));
    }
  };
  const put = CanvasRenderingContext2D.prototype.putImageData;
  CanvasRenderingContext2D.prototype.putImageData = function (...args: unknown[]) {
    if (this.canvas.className === "gantt-plot") seen.paints.push(performance.now());
    Reflect.apply(put, this, args);
  };
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      seen.tasks.push({ atMs: startTime, ms: duration });
  }).observe({ type: "longtask", buffered: true });
}
