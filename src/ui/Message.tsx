/**
 * A state in words, for panels that have nothing to draw: what it is, why, and one action. An error has a signal rule at its
 * left; nothing else does.
 */
import type { ReactNode } from "react";

export interface MessageProps {
  readonly kind?: "note" | "error";
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function Message({ kind = "note", title, children, action }: MessageProps) {
  return (
    <div className={`message message-${kind}`} role={kind === "error" ? "alert" : undefined}>
      <strong>{title}</strong>
      {children && <div className="message-body">{children}</div>}
      {action && <div className="message-action">{action}</div>}
    </div>
  );
}

/** Progress as a 3 px bar of ink; `share` 0…1. */
export function ProgressBar({ share, label }: { readonly share: number; readonly label: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <div
      className="progress"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <div style={{ width: `${percent}%` }} />
    </div>
  );
}
