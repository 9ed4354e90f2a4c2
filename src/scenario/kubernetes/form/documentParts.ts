/**
 * Where the documents of a text lie, without reading it: a line that begins with three dashes opens one and may stand in no scalar (YAML 1.2.2, section 9.1.2). A part
 * begins with its dashes. What stands before the first is a document if it holds more than comments; `...` and directives are left to the reader,
 * so a text that has them is one part. O(text).
 */
export interface Part {
  readonly from: number;
  readonly to: number;
}

export function documentParts(text: string): readonly Part[] {
  if (/^(?:%|\.\.\.(?:\s|$))/m.test(text)) return [{ from: 0, to: text.length }];
  const starts = [...text.matchAll(/^---(?=\s|$)/gm)].map(({ index }) => index);
  const [first = text.length] = starts;
  const isHead = /^[^\S\n]*[^\s#]/m.test(text.slice(0, first));
  const froms = isHead || starts.length === 0 ? [0, ...starts] : [0, ...starts.slice(1)];
  return froms.map((from, index) => ({ from, to: froms[index + 1] ?? text.length }));
}
