/**
 * One toast at a time, in the free room of the status bar, where it covers nothing: what just happened, and Undo where it can be undone. It is not the only
 * place of a fact, and goes away by itself unless hovered or focused.
 */

import { X } from "lucide-react";
import { useEffect, useState } from "react";

export interface ToastProps {
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
  readonly onClose: () => void;
  /** Milliseconds until it closes itself. */
  readonly lastsMs?: number;
}

export function Toast({ text, action, onClose, lastsMs = 8_000 }: ToastProps) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(onClose, lastsMs);
    return () => clearTimeout(timer);
  }, [held, lastsMs, onClose]);
  return (
    <section
      className="toast"
      aria-label="Notice"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span title={text}>{text}</span>
      {action && (
        <button type="button" className="button button-outline" onClick={action.run}>
          {action.label}
        </button>
      )}
      <button
        type="button"
        className="button button-icon"
        aria-label="Dismiss notice"
        onClick={onClose}
      >
        <X size={14} aria-hidden />
      </button>
    </section>
  );
}
