/** Grows with every change that moves a digest; links carry it, so that a differing result can be explained. */
export const ENGINE_VERSION = 1;
