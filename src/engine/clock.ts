/** The time of the run, shared by everything that writes it down; only the event loop moves it. */
export class Clock {
  nowMs = 0;
}
