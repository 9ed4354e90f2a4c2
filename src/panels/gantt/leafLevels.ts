/**
 * Levels of detail as the user chose them, by block. The panel says here which block is under the pointer and what level each
 * block has now, so that the command `stepLeafLevel` can go on from what is seen.
 */
import { useApp } from "../../store/store.ts";
import type { LevelCode } from "../../timeline/rows.ts";

let underPointer = -1;
let shown: Uint8Array = new Uint8Array(0);

/** `block` is the block under the pointer, or −1. */
export function setLeafUnderPointer(block: number): void {
  underPointer = block;
}

export function leafUnderPointer(): number {
  return underPointer;
}

export function setShownLevels(levels: Uint8Array): void {
  shown = levels;
}

function next(level: number): LevelCode {
  return ((level + 1) % 3) as LevelCode;
}

/** far → middle → near → far for one block; the block under the pointer when none is named. */
export function stepLeaf(leaf = underPointer): void {
  if (leaf < 0 || leaf >= shown.length) return;
  useApp.setState({ leafLevels: { ...useApp.getState().leafLevels, [leaf]: next(shown[leaf]!) } });
}

/** Folds a block that is open, opens one that is folded. */
export function foldLeaf(leaf: number): void {
  if (leaf < 0 || leaf >= shown.length) return;
  const to: LevelCode = shown[leaf] === 0 ? 2 : 0;
  useApp.setState({ leafLevels: { ...useApp.getState().leafLevels, [leaf]: to } });
}

/** One step for all blocks, from the level that most have; back to the choice by height after near. */
export function stepAllLeaves(): void {
  const counts = [0, 0, 0];
  for (const level of shown) counts[level]! += 1;
  const most = counts.indexOf(Math.max(...counts));
  const chosen = Object.keys(useApp.getState().leafLevels).length > 0;
  if (most === 2 && chosen) {
    useApp.setState({ leafLevels: {} });
    return;
  }
  useApp.setState({
    leafLevels: Object.fromEntries(Array.from(shown, (_, leaf) => [leaf, next(most)])),
  });
}
