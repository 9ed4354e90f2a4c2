/** How deep a YAML text is nested at most, looked at before it is parsed: the text is hostile until it has passed. */
const DEPTH_MOST = 200;

/** Deeper than any object of Kubernetes: such texts cost the parser minutes. Brackets in texts and comments count too. O(text). */
export function isTooDeep(text: string): boolean {
  if (/(?:[-?]\s){100}/.test(text) || isIndentedTooDeep(text)) return true;
  let depth = 0;
  for (const char of text) {
    if (char === "[" || char === "{") depth++;
    else if ((char === "]" || char === "}") && depth > 0) depth--;
    if (depth > DEPTH_MOST) return true;
  }
  return false;
}

/** Lines that stand further and further to the right: how much of them a parser bears depends on its stack. O(text). */
function isIndentedTooDeep(text: string): boolean {
  const within: number[] = [];
  for (const [indent] of text.matchAll(/^ *(?=[^\s#])/gm)) {
    while (within.length > 0 && (within.at(-1) ?? 0) >= indent.length) within.pop();
    within.push(indent.length);
    if (within.length > DEPTH_MOST) return true;
  }
  return false;
}
