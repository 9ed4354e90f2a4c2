/** Commercial platforms in the policy picker: what is documented, what is not known, and the preset that comes closest, which a button chooses in the form. */

import { PLATFORMS, type Platform } from "../../../../scenario/orchestrators/platforms.ts";
import type { PolicyEntry } from "../../../../scenario/schema.ts";
import { presetOf } from "../../../../scenario/settings.ts";
import { Button } from "../../../../ui/Button.tsx";
import "./platforms.css";

export interface PlatformCardsProps {
  readonly onTake: (preset: string, settings: PolicyEntry["settings"]) => void;
}

export function PlatformCards({ onTake }: PlatformCardsProps) {
  return (
    <ul className="platforms">
      {PLATFORMS.map((platform) => (
        <li key={platform.id}>
          <details>
            <summary>
              {platform.name}
              <span className="part-note">{platform.closest?.label ?? "none comes close"}</span>
            </summary>
            <Card platform={platform} onTake={onTake} />
          </details>
        </li>
      ))}
    </ul>
  );
}

function Card({
  platform: { documented, unknown, closest, sources },
  onTake,
}: PlatformCardsProps & { readonly platform: Platform }) {
  return (
    <div className="platform">
      <List head="Documented" items={documented} />
      <List head="Not known" items={unknown} />
      {closest && presetOf(closest.preset) && (
        <>
          <p>
            <b>Closest: {closest.label}.</b> {closest.why}
          </p>
          <Button
            label={`Choose ${closest.label}`}
            onClick={() => onTake(closest.preset, { ...closest.settings })}
          />
        </>
      )}
      {sources.length > 0 && (
        <p className="platform-sources">
          {sources.map(({ name, link }) => (
            <a key={link} href={link} target="_blank" rel="noopener noreferrer">
              {name}
            </a>
          ))}
        </p>
      )}
    </div>
  );
}

function List({ head, items }: { readonly head: string; readonly items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <>
      <h3>{head}</h3>
      <ul>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </>
  );
}
