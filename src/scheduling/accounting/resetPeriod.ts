/**
 * When usage is set to zero (`PriorityUsageResetPeriod`, slurm.conf(5)): at midnight, on Sundays, on the first of a month, quarter
 * or year. A run has no date of its own: its time 0 is taken to be midnight of Sunday, 1 January 2023.
 */
import { civilOfDay, dayOfCivil } from "../../base/civilDate.ts";
import type { PriorityConfig } from "../../model/slurm/config.ts";

const DAY_SEC = 86_400;
const DAY_OF_TIME_0 = dayOfCivil({ year: 2023, month: 1, day: 1 });

/** The first reset after `lastSec` (seconds from time 0); `Infinity` = never. O(1). */
export function nextResetSec(period: PriorityConfig["usageResetPeriod"], lastSec: number): number {
  const day = Math.floor(lastSec / DAY_SEC);
  if (period === "DAILY") return (day + 1) * DAY_SEC;
  if (period === "WEEKLY") return (Math.floor(day / 7) + 1) * 7 * DAY_SEC;
  if (period === "NONE" || period === "NOW") return Number.POSITIVE_INFINITY;
  const { year, month } = civilOfDay(day + DAY_OF_TIME_0);
  const months = period === "MONTHLY" ? 1 : period === "QUARTERLY" ? 3 : 12;
  const next = Math.floor((month - 1) / months + 1) * months;
  const first =
    next >= 12 ? { year: year + 1, month: 1, day: 1 } : { year, month: next + 1, day: 1 };
  return (dayOfCivil(first) - DAY_OF_TIME_0) * DAY_SEC;
}
