/** Raised whenever the same scenario may give another digest than before; links carry it (`docs/formats.md`). */
export const ENGINE_VERSION = 1;
