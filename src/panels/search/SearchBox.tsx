/** SearchBox: being built. */
export function SearchBox() {
  return null;
}
