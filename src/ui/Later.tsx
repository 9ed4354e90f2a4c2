/**
 * A component of a chunk that comes after the first picture. Once the chunk is here it renders at once, like any other; `React.lazy` would show its
 * fallback for a moment at each first use, however long ago the chunk came.
 */
import { type ComponentType, lazy, useState } from "react";

/** A part of the page that is on its way, or here. Made once, beside what shows it. */
export class LaterPart<P extends object> {
  readonly #load: () => Promise<ComponentType<P>>;
  #here: ComponentType<P> | null = null;

  constructor(load: () => Promise<ComponentType<P>>) {
    this.#load = load;
  }

  get here(): ComponentType<P> | null {
    return this.#here;
  }

  async load(): Promise<ComponentType<P>> {
    this.#here ??= await this.#load();
    return this.#here;
  }

  /** Loads ahead of time; what fails is tried again when the part is shown. */
  fetch(): void {
    this.load().catch(() => undefined);
  }
}

interface LaterProps<P extends object> {
  readonly part: LaterPart<P>;
  readonly with: P;
}

/** Wants a `Suspense` around it. */
export function Later<P extends object>({ part, with: props }: LaterProps<P>) {
  // Chosen once: another component in its place would lose what the user typed.
  const [Shown] = useState<ComponentType<P>>(
    () => part.here ?? lazy(async () => ({ default: await part.load() })),
  );
  return <Shown {...props} />;
}
