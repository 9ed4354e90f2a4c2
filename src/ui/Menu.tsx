/** A menu behind a button: arrow keys, type-ahead and Escape come from Radix. */

import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { Kbd } from "./Kbd.tsx";

export interface MenuItem {
  readonly label: string;
  readonly keys?: string | undefined;
  readonly checked?: boolean;
  readonly disabledReason?: string | null;
  readonly onSelect: () => void;
}

export interface MenuProps {
  /** The element that opens the menu: a `<button>`. */
  readonly trigger: ReactNode;
  /** Groups, divided by a hairline. */
  readonly groups: readonly (readonly MenuItem[])[];
  readonly align?: "start" | "end";
}

export function Menu({ trigger, groups, align = "end" }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align={align} sideOffset={4} collisionPadding={8}>
          {groups.map((items, index) => (
            <DropdownMenu.Group key={items[0]?.label ?? index} className="menu-group">
              {items.map((item) => (
                <Item key={item.label} item={item} />
              ))}
            </DropdownMenu.Group>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Item({ item }: { readonly item: MenuItem }) {
  const off = (item.disabledReason ?? null) !== null;
  const inside = (
    <>
      <span className="menu-check">{item.checked && <Check size={14} aria-hidden />}</span>
      <span className="menu-label">{item.label}</span>
      {off && <span className="menu-why">{item.disabledReason}</span>}
      {item.keys && <Kbd keys={item.keys} />}
    </>
  );
  if (item.checked !== undefined) {
    return (
      <DropdownMenu.CheckboxItem
        className="menu-item"
        checked={item.checked}
        disabled={off}
        onSelect={item.onSelect}
      >
        {inside}
      </DropdownMenu.CheckboxItem>
    );
  }
  return (
    <DropdownMenu.Item className="menu-item" disabled={off} onSelect={item.onSelect}>
      {inside}
    </DropdownMenu.Item>
  );
}
