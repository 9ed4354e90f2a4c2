/** A yes or no, with its label at the right. */
import type { ReactNode } from "react";

export interface CheckProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly hint?: ReactNode;
}

export function Check({ label, checked, onChange, hint }: CheckProps) {
  return (
    <div className="field">
      <label className="check">
        <input
          type="checkbox"
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>{label}</span>
      </label>
      {hint && <div className="field-hint">{hint}</div>}
    </div>
  );
}
