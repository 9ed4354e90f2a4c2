/**
 * Shapes that found no place in a pass: while room only shrinks none of them need be tried again. Notes hold for a round (nothing has ended or moved
 * since), and those beside reservations for as long as no other reservation has been made. O(1) each.
 */
export class FailedShapes {
  /** Numbers the rounds, so that notes of an older one never count; and those with the same reservations. */
  #round = 0;
  #levels = 0;
  #now = new Float64Array(16);
  #level = new Float64Array(16);
  #levelOfRound = new Float64Array(16);

  /** Something ended, moved or was stopped. `count`: shapes that there are. */
  newRound(count: number): void {
    this.#round++;
    this.#levels++;
    if (this.#now.length >= count) return;
    this.#now = new Float64Array(count * 2);
    this.#level = new Float64Array(count * 2);
    this.#levelOfRound = new Float64Array(count * 2);
  }

  /** Another reservation was made. */
  newLevels(): void {
    this.#levels++;
  }

  hasNow(shapeIdx: number): boolean {
    return this.#now[shapeIdx] === this.#round;
  }

  noteNow(shapeIdx: number): void {
    this.#now[shapeIdx] = this.#round;
  }

  /** Beside so many reservations, or more. */
  hasAt(shapeIdx: number, level: number): boolean {
    return this.#levelOfRound[shapeIdx] === this.#levels && level >= this.#level[shapeIdx]!;
  }

  noteAt(shapeIdx: number, level: number): void {
    if (this.hasAt(shapeIdx, level)) return;
    this.#levelOfRound[shapeIdx] = this.#levels;
    this.#level[shapeIdx] = level;
  }
}
