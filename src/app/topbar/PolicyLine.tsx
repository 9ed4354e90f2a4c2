/**
 * The line under the title: by which policy, at the cursor. It says whole parts of the sentence, as many as there is room for; what is left, and the numbers and
 * switches that the sentence has no words for, are one press away.
 */
import { Popover } from "radix-ui";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { NBSP } from "../../base/format.ts";
import { run } from "../../store/commands.ts";
import { useShell } from "../../store/shellState.ts";
import { useApp } from "../../store/store.ts";
import { Button } from "../../ui/Button.tsx";
import { type PoolPolicy, policyParts, poolPolicies, untoldSettings } from "../policySentence.ts";
import "./policyLine.css";

const BETWEEN = " · ";

export function PolicyLine() {
  // A text, so that a cursor that moves within one policy renders nothing.
  const told = useApp(({ scenario, cursorMs }) =>
    scenario ? JSON.stringify(policyParts(scenario, cursorMs)) : undefined,
  );
  const untold = useApp(({ scenario, cursorMs }) =>
    scenario ? untoldSettings(scenario, cursorMs) : 0,
  );
  const none = useShell((state) => (state.opening ? NBSP : "Open the library or drop a trace"));
  const parts = useMemo(() => (told === undefined ? [] : (JSON.parse(told) as string[])), [told]);
  const line = useRef<HTMLSpanElement>(null);
  const hidden = useHidden(line, parts);
  if (told === undefined) return <p>{none}</p>;
  const more = hidden + untold;
  return (
    <p className="policy-line" title={parts.join(BETWEEN)}>
      <span className="policy-parts" ref={line}>
        {parts.map((part, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is nothing but its place and its words.
          <span key={i} className="policy-part">
            {i === 0 ? part : BETWEEN + part}
          </span>
        ))}
      </span>
      {more > 0 && <More count={more} />}
    </p>
  );
}

/** How many parts had no room: they stand in lines below the one that is shown, or the line has no width, and then none of them is to be seen. */
function useHidden(line: React.RefObject<HTMLSpanElement | null>, parts: readonly string[]) {
  const [hidden, setHidden] = useState(0);
  useLayoutEffect(() => {
    const box = line.current;
    if (!box || parts.length === 0) return;
    const count = (): void => {
      const spans = [...box.children] as HTMLElement[];
      const top = spans[0]?.offsetTop ?? 0;
      setHidden(spans.filter((span) => span.offsetTop > top || span.offsetWidth === 0).length);
    };
    count();
    const watch = new ResizeObserver(count);
    watch.observe(box);
    return () => watch.disconnect();
  }, [line, parts]);
  return hidden;
}

function More({ count }: { readonly count: number }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <button type="button" className="policy-more" title="All that this policy sets">
          +{count} more
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="menu policy-all"
          align="start"
          collisionPadding={8}
          aria-label="The policy at the cursor"
          onKeyDown={(event) => event.key !== "Escape" && event.stopPropagation()}
        >
          <Policies
            onChange={() => {
              setOpen(false);
              if (useApp.getState().side !== "policy") run("openSide", { side: "policy" });
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Policies({ onChange }: { readonly onChange: () => void }) {
  const { scenario, cursorMs } = useApp.getState();
  const pools = scenario ? poolPolicies(scenario, cursorMs) : [];
  return (
    <>
      {pools.map((pool) => (
        <Pool key={pool.pool} policy={pool} named={pools.length > 1} />
      ))}
      <Button label="Change the policy" keys="P" onClick={onChange} />
    </>
  );
}

function Pool({ policy, named }: { readonly policy: PoolPolicy; readonly named: boolean }) {
  const { pool, preset, chosen, hasYaml } = policy;
  return (
    <section>
      <h2>{named ? `${pool}: ${preset}` : preset}</h2>
      <dl>
        {chosen.map(({ label, value, standard }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {value} <small>not {standard}</small>
            </dd>
          </div>
        ))}
      </dl>
      {chosen.length === 0 && <p className="quiet">Every setting has its default.</p>}
      {hasYaml && <p className="quiet">Its objects stand in the policy’s YAML.</p>}
    </section>
  );
}
