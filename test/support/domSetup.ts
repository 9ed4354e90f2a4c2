/** Component tests wait for what appears, as long as a busy machine needs; nothing is asserted about how long that is. */
import { configure } from "@testing-library/react";

configure({ asyncUtilTimeout: 10_000 });

// jsdom has no screen: every question about one is answered with no.
globalThis.matchMedia ??= (media) =>
  ({
    media,
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }) as unknown as MediaQueryList;
