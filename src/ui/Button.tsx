/**
 * Buttons. A button that cannot be used stays focusable and says why (`disabledReason`), instead of going grey in silence.
 * The accessible name is always the label, never the label with its key; the key is announced apart.
 */
import type { ComponentType, ReactNode, Ref } from "react";
import { Kbd } from "./Kbd.tsx";
import { useOwnKey } from "./ownKeys.ts";

export type IconType = ComponentType<{
  size?: number | string;
  strokeWidth?: number | string;
  "aria-hidden"?: boolean;
}>;

export interface ButtonProps {
  readonly label: string;
  readonly icon?: IconType;
  /** Shown instead of the label; the label stays the accessible name. */
  readonly children?: ReactNode;
  /** Key that the action comes with, e.g. `P`; where the user chose another, that one is shown. */
  readonly keys?: string | undefined;
  /** `icon`: only the icon is visible. */
  readonly look?: "plain" | "outline" | "primary" | "icon";
  /** Replaces the tooltip's text. */
  readonly hint?: string;
  readonly pressed?: boolean;
  /** `null` or absent: usable. */
  readonly disabledReason?: string | null;
  readonly expanded?: boolean;
  readonly className?: string;
  readonly onClick?: () => void;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button(props: ButtonProps) {
  const { label, icon: Icon, look = "outline", disabledReason = null } = props;
  const keys = useOwnKey(props.keys);
  const off = disabledReason !== null;
  const hint = off
    ? `${label}: ${disabledReason}`
    : (props.hint ?? (keys ? `${label} (${keys})` : label));
  return (
    <button
      type="button"
      ref={props.ref}
      className={`button button-${look} ${props.className ?? ""}`}
      aria-label={label}
      aria-keyshortcuts={keys?.replace("Mod", "Control")}
      aria-disabled={off || undefined}
      aria-pressed={props.pressed}
      aria-expanded={props.expanded}
      title={hint}
      onClick={off ? undefined : props.onClick}
    >
      {Icon && <Icon size={look === "icon" ? 18 : 15} strokeWidth={2} aria-hidden />}
      {look !== "icon" && <span>{props.children ?? label}</span>}
      {keys && look === "outline" && <Kbd keys={keys} />}
    </button>
  );
}
