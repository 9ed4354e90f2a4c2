/** Below the choice of a scheduler: the comparison of all of them, and the platforms that have none of their own here. */
import { Suspense, useState } from "react";
import { run } from "../../../../store/commands.ts";
import { Later, LaterPart } from "../../../../ui/Later.tsx";
import type { PlatformCardsProps } from "./PlatformCards.tsx";

const cards = new LaterPart<PlatformCardsProps>(
  async () => (await import("./PlatformCards.tsx")).PlatformCards,
);

export function OtherSystems(props: PlatformCardsProps) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className="knob-group other-systems"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>Other platforms, and how all compare</summary>
      {open && (
        <>
          <p className="part-note">
            <button type="button" className="link" onClick={() => run("openOrchestrators")}>
              Compare orchestrators side by side
            </button>
          </p>
          <Suspense fallback={null}>
            <Later part={cards} with={props} />
          </Suspense>
        </>
      )}
    </details>
  );
}
