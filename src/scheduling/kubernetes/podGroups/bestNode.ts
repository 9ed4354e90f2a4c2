/**
 * The node with the highest score, kept while scores change: a tournament over the nodes, in which the lower number wins between equals. Nodes can be left out for a while.
 * A change O(log nodes), the winner O(1), the winner among a list O(the list).
 */

/** Of a node that was never put: it belongs to somebody else. */
const ABSENT = -2;

export class BestNode {
  readonly #leaves: number;
  readonly #score: Float64Array;
  /** Winner of each match; the nodes themselves are the second half. −1: nobody with room. */
  readonly #winner: Int32Array;
  /** Left out, with the score they would have. */
  readonly #out = new Map<number, number>();

  constructor(nodes: number) {
    let leaves = 1;
    while (leaves < nodes) leaves *= 2;
    this.#leaves = leaves;
    this.#score = new Float64Array(leaves).fill(ABSENT);
    this.#winner = new Int32Array(2 * leaves).fill(-1);
  }

  has(node: number): boolean {
    return this.#score[node]! > ABSENT || this.#out.has(node);
  }

  /** −1: no room. */
  put(node: number, score: number): void {
    if (this.#out.has(node)) this.#out.set(node, score);
    else if (this.#score[node] !== score) this.#set(node, score);
  }

  /** Nobody wins with this node until `readmit`. */
  leaveOut(node: number): void {
    if (this.#out.has(node) || this.#score[node] === ABSENT) return;
    this.#out.set(node, this.#score[node]!);
    this.#set(node, -1);
  }

  readmit(): void {
    if (this.#out.size === 0) return;
    const out = [...this.#out];
    this.#out.clear();
    for (const [node, score] of out) this.#set(node, score);
  }

  /** −1 where no node has room. */
  get first(): number {
    return this.#winner[1]!;
  }

  /** The winner among a list, with something added to each score; the first of equals. */
  firstOf(nodes: ArrayLike<number>, extra: Float64Array | null): number {
    let best = -1;
    let bestScore = -1;
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i]!;
      const own = this.#score[node]!;
      if (own < 0) continue;
      const score = extra === null ? own : own + extra[node]!;
      if (score <= bestScore) continue;
      best = node;
      bestScore = score;
    }
    return best;
  }

  #set(node: number, score: number): void {
    this.#score[node] = score;
    let at = this.#leaves + node;
    this.#winner[at] = score < 0 ? -1 : node;
    for (at >>= 1; at >= 1; at >>= 1) {
      const left = this.#winner[2 * at]!;
      const right = this.#winner[2 * at + 1]!;
      this.#winner[at] =
        right < 0 || (left >= 0 && this.#score[left]! >= this.#score[right]!) ? left : right;
    }
  }
}
