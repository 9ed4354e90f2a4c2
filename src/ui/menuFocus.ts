/**
 * Where the focus goes when a menu at the pointer closes: back to what it was opened from, unless it has already gone elsewhere. A dialog that opens
 * meanwhile keeps the focus inside itself; taking it back would have both pull at it for ever.
 */
export function focusAfterMenu(opener: HTMLElement | null): void {
  const held = document.activeElement;
  if (!held || held === document.body || held.closest('[role="menu"]')) opener?.focus();
}
