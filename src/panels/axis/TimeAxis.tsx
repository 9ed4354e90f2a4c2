/** TimeAxis: being built. */
export function TimeAxis() {
  return null;
}
