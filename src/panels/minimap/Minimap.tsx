/** Minimap: being built. */
export function Minimap() {
  return null;
}
