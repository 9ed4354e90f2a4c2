/** The line under the title: by which policy, at the cursor. */
import { useApp } from "../../store/store.ts";
import { policySentence } from "../policySentence.ts";

export function PolicyLine() {
  const policy = useApp((state) =>
    state.scenario
      ? policySentence(state.scenario, state.cursorMs)
      : "Open the library or drop a trace",
  );
  return <p title={policy}>{policy}</p>;
}
