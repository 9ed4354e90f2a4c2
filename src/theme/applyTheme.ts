/** Puts the chosen theme on the page and keeps it there: `system` follows the operating system while the page is open. */
import { palette, refreshPalette } from "./palette.ts";

export type ThemeName = "system" | "light" | "dark";

let chosen: ThemeName = "system";
let watching = false;

/** Shows a theme and rebuilds the palette. Idempotent. */
export function applyTheme(choice: ThemeName): void {
  chosen = choice;
  if (!watching) {
    watching = true;
    for (const query of [
      "(prefers-color-scheme: dark)",
      "(forced-colors: active)",
      "(min-width: 2000px)",
    ]) {
      matchMedia(query).addEventListener("change", show);
    }
  }
  show();
}

/** What `system` means now. */
function systemTheme(): "light" | "dark" {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function show(): void {
  document.documentElement.dataset.theme = chosen === "system" ? systemTheme() : chosen;
  refreshPalette();
  writeDerived();
}

/** Hands derived colours back to the style sheet: neutrals of positions 5 and 6, label ink, pencil. */
function writeDerived(): void {
  const { style } = document.documentElement;
  palette().positions.forEach((tier, position) => {
    const token = `--tier${position + 1}`;
    if (position >= 4) style.setProperty(token, tier.full);
    style.setProperty(`${token}-label`, tier.label);
    style.setProperty(`${token}-pencil`, tier.pencil);
    style.setProperty(`${token}-pale`, tier.pale);
  });
}
