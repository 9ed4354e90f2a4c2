/**
 * What is still being worked out for the screen: answers of the worker, numbers counted in slices, questions that wait for a rest. Whoever
 * waits for a page at rest waits for all of it.
 */
let underway = 0;
const waiters: (() => void)[] = [];

/** Says that something is on its way to the screen; the returned function says that it is there, or not wanted any more. */
export function beginWork(): () => void {
  let open = true;
  underway += 1;
  return () => {
    if (!open) return;
    open = false;
    underway -= 1;
    if (underway > 0) return;
    for (const waiter of waiters.splice(0)) waiter();
  };
}

export function isUnderway(): boolean {
  return underway > 0;
}

/** Resolves when nothing is on its way. */
export function workDone(): Promise<void> {
  if (underway === 0) return Promise.resolve();
  return new Promise((resolve) => waiters.push(resolve));
}
