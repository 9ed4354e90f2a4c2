/**
 * Devices of a suspended job that others use meanwhile. The job keeps its holdings, and the memory of its nodes; the devices and CPUs are free in
 * the books until it takes them back, which it can only while nobody has them. While they are lent it leaves no rectangle: a
 * device is never shown twice. Slices of a device cannot be lent. O(entries of the job).
 */
import { devicePartsOf } from "../model/deviceWeight.ts";
import { WHOLE_DEVICE } from "../model/units.ts";
import type { Recorder } from "../record/recorder.ts";
import type { Allocations } from "./allocations.ts";
import { broken } from "./ledger.ts";
import type { LiveJobs } from "./liveJobs.ts";

/** Part codes above are slices (`grant.ts`). */
const LARGEST_SHARE = WHOLE_DEVICE;

export class Lending {
  readonly #live: LiveJobs;
  readonly #allocations: Allocations;
  readonly #recorder: Recorder;

  constructor(live: LiveJobs, allocations: Allocations, recorder: Recorder) {
    this.#live = live;
    this.#allocations = allocations;
    this.#recorder = recorder;
  }

  /** Gives devices and CPUs of a suspended job away. */
  lend(slot: number): void {
    if (this.#live.at.lent[slot] === 1) return;
    const { at } = this.#allocations.holdings;
    this.#allocations.moveCpus(slot, true);
    this.#allocations.cutRects(slot);
    for (let entry = this.#live.at.first[slot]!; entry >= 0; entry = at.next[entry]!) {
      if (at.part[entry]! > LARGEST_SHARE) broken("a slice of a device cannot be lent");
      this.#move(slot, entry, -1);
    }
    this.#live.at.lent[slot] = 1;
  }

  /** Takes them again; throws where one is not free. */
  takeBack(slot: number): void {
    if (this.#live.at.lent[slot] === 0) return;
    const { at } = this.#allocations.holdings;
    this.#allocations.cutRects(slot);
    this.#live.at.lent[slot] = 0;
    for (let entry = this.#live.at.first[slot]!; entry >= 0; entry = at.next[entry]!)
      this.#move(slot, entry, 1);
  }

  /** Whether the job could take everything back now. O(its devices). */
  isFree(slot: number): boolean {
    const { holdings, ledger } = this.#allocations;
    const { at } = holdings;
    const cpuMilli = new Map<number, number>();
    for (let entry = this.#live.at.first[slot]!; entry >= 0; entry = at.next[entry]!) {
      const node = at.node[entry]!;
      const asked = (cpuMilli.get(node) ?? 0) + at.cpuMilli[entry]!;
      cpuMilli.set(node, asked);
      if (asked > ledger.cpuMilliFree[node]!) return false;
      const most = WHOLE_DEVICE - ledger.milliOf(node, at.part[entry]!, 0);
      const end = at.device[entry]! + at.count[entry]!;
      for (let device = at.device[entry]!; device < end; device++)
        if (ledger.deviceUsed[device]! > most) return false;
    }
    return true;
  }

  #move(slot: number, entry: number, sign: 1 | -1): void {
    const { holdings, ledger } = this.#allocations;
    const { node, device, count, part, component } = holdings.at;
    if (count[entry] === 0) return;
    const at = [node[entry]!, device[entry]!, count[entry]!, part[entry]!] as const;
    if (sign > 0) ledger.take(...at, component[entry]!, 0, 0);
    else ledger.give(...at, component[entry]!, 0, 0);
    const tier = this.#live.tierOfJob[this.#live.at.jobIdx[slot]!]!;
    this.#recorder.held(tier, sign * count[entry]! * devicePartsOf(part[entry]!, undefined));
  }
}
