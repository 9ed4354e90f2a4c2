/** The priority of a waiting job under an order of the lab that computes one, taken apart as the order does it. */
import { countText, NBSP, numberText } from "../../../base/format.ts";
import type { LabJobFacts, PriorityTerm, PriorityTermName } from "../../../model/lab/shares.ts";

const NAMES: Readonly<Record<PriorityTermName, string>> = {
  age: "Age",
  fairShare: "Fair share",
  size: "Size",
  tier: "Tier",
  usagePart: "Its part of all usage",
  duePart: "Its part of all shares",
  level: "Level: the lowest goes first",
  teamDue: "Its team’s part of the shares",
  teamUsage: "Its team’s part of the usage",
  userDue: "Its own part of them in the team",
  userUsage: "Its own part of the usage in the team",
  jobPriority: "Priority given",
  usageHours: "Used so far, fading",
  devicePart: "Devices held",
  cpuPart: "CPUs held",
  memoryPart: "Memory held",
  devicesHeld: "Devices held",
  shares: "Shares",
};
/** Said as a part of a whole. */
const PARTS: ReadonlySet<PriorityTermName> = new Set([
  "usagePart",
  "duePart",
  "teamDue",
  "teamUsage",
  "userDue",
  "userUsage",
  "devicePart",
  "cpuPart",
  "memoryPart",
]);

export function LabTerms({ facts }: { readonly facts: LabJobFacts }) {
  const terms = facts.terms ?? [];
  if (terms.length === 0) return null;
  const weighed = terms.every(({ weight }) => weight !== undefined);
  return (
    <section aria-label="Priority">
      <header className="part-head">
        <h3>Priority</h3>
        <span className="part-note">
          {weighed ? "weight × factor = points" : "as of the last pass"}
        </span>
      </header>
      {weighed ? <Weighed facts={facts} terms={terms} /> : <Measured terms={terms} />}
    </section>
  );
}

interface WeighedProps {
  readonly facts: LabJobFacts;
  readonly terms: readonly PriorityTerm[];
}

function Weighed({ facts, terms }: WeighedProps) {
  const points = terms.map(({ value, weight = 0 }) => value * weight);
  const most = points.reduce((highest, each) => Math.max(highest, Math.abs(each)), 1);
  const sum = Math.round(points.reduce((all, each) => all + each, 0));
  return (
    <table className="terms">
      <thead>
        <tr>
          <th scope="col">term</th>
          <th scope="col">weight</th>
          <th scope="col">factor</th>
          <th scope="col">points</th>
        </tr>
      </thead>
      <tbody>
        {terms.map(({ name, value, weight = 0 }, row) => (
          <tr key={name}>
            <th scope="row">{NAMES[name]}</th>
            <td>{numberText(weight)}</td>
            <td>{value.toFixed(4)}</td>
            <td>
              <span className="term-bar" aria-hidden="true">
                <i style={{ width: `${(100 * Math.abs(points[row]!)) / most}%` }} />
              </span>
              {numberText(points[row]!, 0)}
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Priority</th>
          <td colSpan={3}>
            {numberText(facts.priority)}
            {sum !== facts.priority && ` when last computed; ${numberText(sum)} now`}
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

function Measured({ terms }: { readonly terms: readonly PriorityTerm[] }) {
  return (
    <table className="terms cost">
      <tbody>
        {terms.map((term) => (
          <tr key={term.name}>
            <th scope="row">{NAMES[term.name]}</th>
            <td>{termText(term)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** "75 %", "2.3 h", "1.5". */
function termText({ name, value }: PriorityTerm): string {
  if (!Number.isFinite(value)) return "no share: behind everybody";
  if (PARTS.has(name)) return `${numberText(100 * value, 1)}${NBSP}%`;
  if (name === "usageHours") return `${numberText(value, 1)} device-hours`;
  if (name === "devicesHeld") return countText(value, "device");
  return numberText(value, Number.isInteger(value) ? 0 : 3);
}
