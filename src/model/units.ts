/**
 * Units. Time is an integer count of milliseconds from the start of the run. Progress counts reference work in 1/65,536 ms,
 * so that a speed (65,536 = as fast as the reference) times milliseconds stays an integer: a year of work is below 2^53.
 */
export const SPEED_ONE = 65_536;
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** A device is divided into this many shares; a whole device is all of them. */
export const WHOLE_DEVICE = 1_000;
/** In so many parts devices are added up: shares and MIG slices (of seven) are whole numbers of them, so sums are exact. */
export const DEVICE_PARTS = 7 * WHOLE_DEVICE;

/** "No time": before the first and after the last moment that can occur. */
export const NEVER_MS = Number.POSITIVE_INFINITY;
