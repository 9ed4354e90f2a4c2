/** A tooltip on hover and on focus. It may repeat or deepen what is on screen, never hold the only copy of a fact. */
import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";

export function Tooltip({
  text,
  children,
}: {
  readonly text: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <Radix.Provider delayDuration={400} skipDelayDuration={200}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content className="tooltip" sideOffset={6} collisionPadding={8}>
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
