/** The line under the title: by which policy, at the cursor. */
import { NBSP } from "../../base/format.ts";
import { useShell } from "../../store/shellState.ts";
import { useApp } from "../../store/store.ts";
import { policySentence } from "../policySentence.ts";

export function PolicyLine() {
  const policy = useApp((state) =>
    state.scenario ? policySentence(state.scenario, state.cursorMs) : undefined,
  );
  const none = useShell((state) => (state.opening ? NBSP : "Open the library or drop a trace"));
  return <p title={policy}>{policy ?? none}</p>;
}
