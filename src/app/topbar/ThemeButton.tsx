/** Steps through system, light and dark; the tooltip says which is shown and which comes next. */
import { Contrast, Moon, Sun } from "lucide-react";
import { run } from "../../store/commands.ts";
import type { ThemeChoice } from "../../store/state.ts";
import { useApp } from "../../store/store.ts";
import { Button } from "../../ui/Button.tsx";

const NEXT: Readonly<Record<ThemeChoice, ThemeChoice>> = {
  system: "light",
  light: "dark",
  dark: "system",
};
const ICONS = { system: Contrast, light: Sun, dark: Moon } as const;

export function ThemeButton() {
  const theme = useApp((state) => state.theme);
  return (
    <Button
      label="Theme"
      hint={`Theme: ${theme}. Click for ${NEXT[theme]}`}
      icon={ICONS[theme]}
      look="icon"
      onClick={() => run("setTheme", { theme: NEXT[theme] })}
    />
  );
}
