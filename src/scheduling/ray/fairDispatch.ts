/**
 * Fair dispatch: while the calls that wait ask for more CPUs than there are, a scheduling class of which more calls run than the average of the classes that wait is passed over
 * until the next look. Rounded down, so a class of which none runs is never passed over. O(1). Pathology: what is passed over leaves room idle that the others cannot use.
 * Source: ray-project/ray `src/ray/raylet/local_lease_manager.cc`.
 */
export interface Dispatch {
  /** CPUs that waiting calls ask for, and that there are, in the same unit. */
  readonly cpuAsked: number;
  readonly cpuThere: number;
  /** Calls with CPUs that run, of all classes. */
  readonly running: number;
  /** Classes with CPUs of which calls wait. */
  readonly classes: number;
}

/** Whether a class of which so many calls run is passed over. */
export function isPassedOver(
  { cpuAsked, cpuThere, running, classes }: Dispatch,
  ofClass: number,
): boolean {
  return cpuAsked > cpuThere && ofClass > Math.floor(running / Math.max(1, classes));
}
