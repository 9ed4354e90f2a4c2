/** Orchestrators side by side. Nothing in the table is typed in that its scenario does not show: the test suite runs every cell. */
import { useEffect, useRef } from "react";
import { closeDialog } from "../../store/shellState.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { ComparisonTable } from "./ComparisonTable.tsx";
import { focusLastOpener } from "./cellFocus.ts";
import { SayingList } from "./SayingList.tsx";
import "./orchestrators.css";

export function ComparisonDialog() {
  const page = useRef<HTMLDivElement>(null);
  // The dialog takes the focus when it is shown; what was left takes it from there.
  useEffect(() => {
    const frame = requestAnimationFrame(() => focusLastOpener(page.current));
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <Dialog
      title="Orchestrators side by side"
      description="Every cell is a small scenario that runs when it is pressed; Back leads here again. Arrow keys go from cell to cell."
      size="wide"
      open
      onClose={closeDialog}
    >
      <div className="orch" ref={page}>
        <ComparisonTable />
        <SayingList />
        <p className="orch-legend quiet">
          <i aria-hidden>●</i> yes <i aria-hidden>◐</i> partly <i aria-hidden>○</i> no. The presets
          run with their defaults but for what a cell names; what each models and leaves out stands
          with the preset in the policy editor.
        </p>
      </div>
    </Dialog>
  );
}
