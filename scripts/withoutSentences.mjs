// The worker reads settings of policies to check and fill in documents; only the page shows what they mean. This plugin for the worker's build empties the explaining
// sentences of the tables in src/scenario: a tenth of the worker's first file would be text that nobody there reads. Places in the code stay as they are.

const TABLES =
  /\/src\/scenario\/(?:lab|kubernetes)\/\w*Settings\.ts$|\/src\/scenario\/settings\.ts$/;

/** @typedef {{ type: string, start: number, end: number } & Record<string, unknown>} Node */

/** @returns {import("vite").Plugin} */
export function withoutSentences() {
  return {
    name: "queuescope-without-sentences",
    enforce: "post",
    transform(code, id) {
      if (!TABLES.test(id.split("?")[0] ?? "")) return null;
      /** @type {Node[]} */
      const texts = [];
      find(/** @type {Node} */ (/** @type {unknown} */ (this.parse(code))), texts);
      let kept = code;
      for (const { start, end } of texts)
        kept = `${kept.slice(0, start)}""${" ".repeat(end - start - 2)}${kept.slice(end)}`;
      return { code: kept, map: null };
    },
  };
}

/** Texts under the key `sentence`, and the second ones of pairs in a table whose name ends in `_SENTENCES`. @param {Node} node @param {Node[]} texts */
function find(node, texts, inPairs = false) {
  const key = /** @type {Node | undefined} */ (node.key);
  const value = /** @type {Node | undefined} */ (node.value);
  if (node.type === "Property" && key?.name === "sentence" && value && isText(value)) {
    texts.push(value);
    return;
  }
  const name = /** @type {Node | undefined} */ (node.id)?.name;
  const pairs = inPairs || (typeof name === "string" && name.endsWith("_SENTENCES"));
  const elements = /** @type {Node[] | undefined} */ (node.elements);
  if (pairs && elements?.length === 2 && elements.every(isText)) {
    texts.push(/** @type {Node} */ (elements[1]));
    return;
  }
  for (const child of Object.values(node).flat())
    if (typeof child === "object" && child !== null && "type" in child)
      find(/** @type {Node} */ (child), texts, pairs);
}

/** @param {Node} node */
function isText(node) {
  return node.type === "Literal" && typeof node.value === "string";
}
