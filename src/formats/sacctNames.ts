/**
 * Names in a file of sacct: users, accounts, partitions (of several the first), QOS. A run tells a limited number of each apart; what is
 * beyond is nameless. QOS become tiers: those whose jobs have the higher mean priority stand in front.
 */
import { LIMITS } from "../model/limits.ts";
import { ByteNames } from "./byteNames.ts";
import type { SacctColumns, SacctRow } from "./sacctRows.ts";

/** A column of 16 bits, as for queues. */
const MOST_TEAMS = LIMITS.teams;
const MOST_TIERS = 255;

export class SacctNames {
  /** Of the row met last. */
  user = 0;
  team = 0;
  queue = 0;
  tier = 0;
  readonly users: string[] = [""];
  readonly teams: string[] = [""];
  readonly queues: string[] = [""];
  readonly #tiers: string[] = [""];
  readonly #texts = new ByteNames();
  readonly #userOf = new Map<number, number>();
  readonly #teamOf = new Map<number, number>();
  readonly #queueOf = new Map<number, number>();
  readonly #tierOf = new Map<number, number>();
  /** Number of each name, by list. */
  readonly #numbers = new Map<readonly string[], Map<string, number>>();
  /** Sum of priorities and number of jobs by tier. */
  readonly #votes: { sum: number; count: number }[] = [];

  get usersMet(): number {
    return this.#userOf.size;
  }

  /** Different texts of the partition column, lists of partitions included. */
  get partitionsMet(): number {
    return this.#queueOf.size;
  }

  meet(row: SacctRow, columns: SacctColumns): void {
    const find = (name: string, known: Map<number, number>, list: string[], most: number) => {
      const field = columns.at.get(name);
      if (field === undefined) return 0;
      const text = this.#texts.add(row.bytes, row.from[field]!, row.to[field]!);
      const index = known.get(text);
      if (index !== undefined) return index;
      const made = this.#make(this.#texts.list[text]!, list, most);
      known.set(text, made);
      return made;
    };
    this.user = find("user", this.#userOf, this.users, LIMITS.jobs);
    this.team = find("account", this.#teamOf, this.teams, MOST_TEAMS);
    this.queue = find("partition", this.#queueOf, this.queues, LIMITS.traceQueues);
    this.tier = find("qos", this.#tierOf, this.#tiers, MOST_TIERS);
  }

  #make(text: string, list: string[], most: number): number {
    const name = (text.split(",")[0] ?? "").slice(0, LIMITS.nameLength);
    let numbers = this.#numbers.get(list);
    if (numbers === undefined) {
      numbers = new Map(list.map((known, number) => [known, number]));
      this.#numbers.set(list, numbers);
    }
    const known = numbers.get(name);
    if (known !== undefined) return known;
    if (list.length >= most) return 0;
    numbers.set(name, list.length);
    return list.push(name) - 1;
  }

  /** Counts the priority of a kept job for its tier. */
  vote(priority: number): void {
    this.#votes[this.tier] ??= { sum: 0, count: 0 };
    const votes = this.#votes[this.tier]!;
    if (Number.isNaN(priority)) return;
    votes.sum += priority;
    votes.count++;
  }

  /** QOS in the order of tiers, and the place of each index of before. */
  rankedTiers(): { readonly tiers: readonly string[]; readonly rank: Uint8Array } {
    const mean = (index: number): number => {
      const votes = this.#votes[index];
      return votes === undefined || votes.count === 0 ? 0 : votes.sum / votes.count;
    };
    const order = this.#tiers
      .map((_, index) => index)
      .sort((a, b) => Number(a === 0) - Number(b === 0) || mean(b) - mean(a) || a - b);
    const rank = new Uint8Array(order.length);
    order.forEach((index, place) => {
      rank[index] = place;
    });
    return { tiers: order.map((index) => this.#tiers[index]!), rank };
  }
}
