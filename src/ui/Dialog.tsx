/**
 * A dialog: traps focus, closes with Escape, gives the focus back. It stands in the middle of the page over a veil; use it for
 * files, library and help only, never for something that must be read beside the Gantt.
 */

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { useRef } from "react";

export interface DialogProps {
  readonly title: string;
  /** One sentence under the title. */
  readonly description?: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly size?: "small" | "medium" | "large" | "wide";
  readonly children: ReactNode;
  /** Buttons at the lower right. */
  readonly actions?: ReactNode;
  /** Shows the title only to assistive technology: for the palette. */
  readonly bare?: boolean;
}

export function Dialog(props: DialogProps) {
  // Radix gives the focus back to its own trigger only; our dialogs are opened by commands, from anywhere.
  const opener = useRef<Element | null>(null);
  return (
    <Radix.Root open={props.open} onOpenChange={(open) => !open && props.onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="veil" />
        <Radix.Content
          className={`dialog dialog-${props.size ?? "medium"} ${props.bare ? "dialog-bare" : ""}`}
          {...(props.description ? {} : { "aria-describedby": undefined })}
          onOpenAutoFocus={() => {
            if (!document.activeElement?.closest('[role="dialog"]'))
              opener.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener.current instanceof HTMLElement) opener.current.focus();
          }}
        >
          <header className={props.bare ? "sr-only" : "dialog-head"}>
            <Radix.Title className="dialog-title">{props.title}</Radix.Title>
            {props.description && (
              <Radix.Description className="dialog-description">
                {props.description}
              </Radix.Description>
            )}
          </header>
          <div className="dialog-body">{props.children}</div>
          {props.actions && <footer className="dialog-actions">{props.actions}</footer>}
          {!props.bare && (
            <Radix.Close
              className="button button-icon dialog-close"
              aria-label="Close"
              title="Close (Esc)"
            >
              <X size={18} aria-hidden />
            </Radix.Close>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
