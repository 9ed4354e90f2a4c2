/** What a job may say beside size and time, in groups that open: its fields and messages come from the document's own schema and checks. */
import { useState } from "react";
import type { JsonObject } from "../../../base/json.ts";
import type { Scenario } from "../../../scenario/schema.ts";
import type { NamesOf } from "../../../ui/fields/fieldSpec.ts";
import { SpecFields } from "../../../ui/fields/SpecFields.tsx";
import type { LifeGroup } from "./lifeSpecs.ts";
import { isUsed, JOB_SCHEMA, LIFE_GROUPS } from "./lifeSpecs.ts";
import "./inject.css";

interface MoreProps {
  readonly life: JsonObject;
  readonly scenario: Scenario;
  /** By place below the job. */
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (life: JsonObject) => void;
}

export function MoreFields(props: MoreProps) {
  return (
    <section className="more" aria-label="More">
      {LIFE_GROUPS.map((group) => (
        <Group key={group.title} group={group} {...props} />
      ))}
    </section>
  );
}

/** Fields that a job has without being told: shown ticked, and told only where they are taken away. */
const STANDARD: JsonObject = { kind: "training", gang: true, preemptible: true };

function Group({
  group,
  life,
  scenario,
  problems,
  onChange,
}: MoreProps & { readonly group: LifeGroup }) {
  const [open, setOpen] = useState(false);
  const used = group.specs.filter(({ key }) => Object.hasOwn(life, key)).length;
  const problemAt = (key: string): string | null => {
    const place = `/${key.replaceAll(".", "/")}`;
    const found = [...problems].find(([at]) => at === place || at.startsWith(`${place}/`));
    return found?.[1] ?? null;
  };
  const isWrong = isUsed(group, life) && group.specs.some(({ key }) => problemAt(key) !== null);
  return (
    <details
      className="more-group"
      open={open || isWrong}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        {group.title}
        <span className="part-note">{used > 0 ? `${used} set` : ""}</span>
      </summary>
      {(open || isWrong) && (
        <div className="spec-grid">
          <SpecFields
            specs={group.specs}
            schema={JOB_SCHEMA}
            value={{ ...STANDARD, ...life }}
            onChange={(next) => onChange(lean(next as JsonObject))}
            context={{ names: (of) => namesIn(scenario, of), problemAt }}
          />
        </div>
      )}
    </details>
  );
}

function lean(life: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(life).filter(([key, value]) => STANDARD[key] !== value));
}

function namesIn(scenario: Scenario, of: NamesOf | undefined): readonly string[] {
  return of === "queues" ? scenario.queues : [];
}
