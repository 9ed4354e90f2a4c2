/**
 * Keys that the user chose in the place of those that actions come with, kept on this device. An own key is taken from whatever
 * else has it, so one press never has two meanings; a key that a later version of the page gives out loses against an own one.
 */
import { create } from "zustand";
import { dropDevice, readDevice, writeDevice } from "../store/device.ts";
import { tellOwnKeys } from "../ui/ownKeys.ts";

export interface KeyChoice {
  /** Chords by action id; an empty list is an action without a key. */
  readonly own: Readonly<Record<string, readonly string[]>>;
  /** Whether letters, digits and symbols act without Ctrl, Cmd or Alt. */
  readonly singles: boolean;
}

const KEYS_KEY = "queuescope.keys";
const DELIVERED: KeyChoice = { own: {}, singles: true };

export const useKeys = create<KeyChoice>()(() => readKeys(readDevice(KEYS_KEY)));

/** What the device kept; whatever does not look like it counts as nothing kept. */
export function readKeys(text: string | null): KeyChoice {
  try {
    const kept: unknown = JSON.parse(text ?? "null");
    if (typeof kept !== "object" || kept === null) return DELIVERED;
    const { own, singles } = kept as Partial<KeyChoice>;
    const entries = Object.entries(own ?? {}).filter(
      ([, chords]) => Array.isArray(chords) && chords.every((chord) => typeof chord === "string"),
    );
    return { own: Object.fromEntries(entries), singles: singles !== false };
  } catch {
    return DELIVERED;
  }
}

function choose(choice: KeyChoice): void {
  useKeys.setState(choice, true);
  if (choice.singles && Object.keys(choice.own).length === 0) dropDevice(KEYS_KEY);
  else writeDevice(KEYS_KEY, JSON.stringify(choice));
}

/** Gives an action these keys and takes them from every other. */
export function giveKeys(id: string, chords: readonly string[]): void {
  const { own, singles } = useKeys.getState();
  const others = Object.entries(own).map(([other, theirs]) => [
    other,
    theirs.filter((chord) => !chords.includes(chord)),
  ]);
  choose({ own: { ...Object.fromEntries(others), [id]: chords }, singles });
}

/** The keys that it came with, as far as no other action was given them. */
export function giveBack(id: string): void {
  const { own, singles } = useKeys.getState();
  choose({ own: Object.fromEntries(Object.entries(own).filter(([one]) => one !== id)), singles });
}

export function giveAllBack(): void {
  choose({ own: {}, singles: useKeys.getState().singles });
}

export function switchSingles(singles: boolean): void {
  choose({ own: useKeys.getState().own, singles });
}

interface Keyed {
  readonly id: string;
  readonly keys: readonly string[];
}

/** The same actions with the keys that count. O(actions + own keys). */
export function withOwnKeys<A extends Keyed>(actions: readonly A[], choice?: KeyChoice): A[] {
  const { own } = choice ?? useKeys.getState();
  const taken = new Set(Object.values(own).flat());
  return actions.map((action) => ({
    ...action,
    keys: own[action.id] ?? action.keys.filter((chord) => !taken.has(chord)),
  }));
}

/** From now on buttons show the keys that count beside the action whose delivered key they name. */
export function showOwnKeys(delivered: () => readonly Keyed[]): void {
  const tell = (): void => {
    const actions = delivered();
    const now = withOwnKeys(actions);
    tellOwnKeys(
      new Map(actions.flatMap(({ keys }, i) => keys.map((key) => [key, now[i]!.keys[0] ?? ""]))),
    );
  };
  if (Object.keys(useKeys.getState().own).length > 0) tell();
  useKeys.subscribe(tell);
}
