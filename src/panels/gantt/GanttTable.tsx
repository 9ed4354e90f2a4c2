/** GanttTable: being built. */
export function GanttTable() {
  return null;
}
