/**
 * Counts React's commits by the hook that React looks for when it loads, so this module comes before it in `main.tsx`. A scripted
 * pan must cost none.
 */
let commits = 0;

interface Hook {
  [name: string]: unknown;
}

const page = globalThis as unknown as { __REACT_DEVTOOLS_GLOBAL_HOOK__?: Hook };
const nothing = (): void => undefined;
const before = page.__REACT_DEVTOOLS_GLOBAL_HOOK__ ?? {
  supportsFiber: true,
  inject: () => 1,
  checkDCE: nothing,
  onCommitFiberUnmount: nothing,
};
const onCommit = before.onCommitFiberRoot;

page.__REACT_DEVTOOLS_GLOBAL_HOOK__ = Object.assign(before, {
  onCommitFiberRoot: (...args: unknown[]): void => {
    commits += 1;
    if (typeof onCommit === "function") Reflect.apply(onCommit, before, args);
  },
});

/** Since the page was loaded. */
export function commitCount(): number {
  return commits;
}
