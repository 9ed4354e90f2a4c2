/**
 * Files of tests share a process and so the page's stores: each file starts with them as at the page's start, whatever the file before
 * it left there.
 */
import { useLayout } from "../../src/store/layout.ts";
import { EMPTY_FUTURE, runData } from "../../src/store/runData.ts";
import { useShell } from "../../src/store/shellState.ts";
import { useApp } from "../../src/store/store.ts";

useApp.setState(useApp.getInitialState(), true);
useShell.setState(useShell.getInitialState(), true);
useLayout.setState(useLayout.getInitialState(), true);
runData.set({
  stage: null,
  current: EMPTY_FUTURE,
  ghost: null,
  ghostFromMs: 0,
  progress: null,
});
