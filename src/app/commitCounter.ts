/**
 * Counts React's commits by the hook that React looks for when it loads, so this module comes before it in `main.tsx`. A scripted
 * pan must cost none. It also tells whether React has still something to render: a part whose code has arrived is shown up to 300 ms
 * later (React reveals such parts together), and only the root's lanes know. They are React's own; without them nothing is pending.
 */
let commits = 0;
const roots = new Set<{ readonly pendingLanes?: number }>();

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
    roots.add(args[1] as { readonly pendingLanes?: number });
    if (typeof onCommit === "function") Reflect.apply(onCommit, before, args);
  },
});

/** Something is still to be rendered or committed. */
export function isRendering(): boolean {
  return [...roots].some(({ pendingLanes = 0 }) => pendingLanes !== 0);
}

/** Since the page was loaded. */
export function commitCount(): number {
  return commits;
}
