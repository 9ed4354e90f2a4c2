/** A key or a chord as the user's keyboard names it. */
const ARROWS: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
};
const isApple = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);

/** `Mod+Shift+Z` → the parts to show, `Mod` being ⌘ or Ctrl. */
function keyParts(keys: string): readonly string[] {
  return keys
    .split("+")
    .map((part, index, all) => {
      if (part === "" && index === all.length - 1) return "+";
      return part === "Mod" ? (isApple ? "⌘" : "Ctrl") : (ARROWS[part] ?? part);
    })
    .filter((part, index, all) => !(part === "" && all[index + 1] === "+"));
}

export function Kbd({ keys }: { readonly keys: string }) {
  return (
    <span className="kbd-chord" aria-hidden>
      {keyParts(keys).map((part) => (
        <kbd key={part}>{part}</kbd>
      ))}
    </span>
  );
}
