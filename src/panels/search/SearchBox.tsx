/**
 * The search box: finds jobs by words and fields, says how many, and goes from hit to hit; each step selects the job. The query is
 * in the store, so that other panels may dim what does not match.
 */
import { ChevronDown, ChevronUp, Search, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useRef } from "react";
import { numberText } from "../../base/format.ts";
import { define, run } from "../../store/commands.ts";
import { showSearchHits } from "../../store/searchHits.ts";
import { useApp } from "../../store/store.ts";
import { useCursorMs, useRunData } from "../../store/useRun.ts";
import { parseSearch, SEARCH_FIELDS, searchJobs } from "../../timeline/jobSearch.ts";
import { Button } from "../../ui/Button.tsx";
import { Kbd } from "../../ui/Kbd.tsx";
import "./search.css";

const NO_HITS = new Uint32Array(0);

export function SearchBox() {
  const query = useApp((state) => state.search);
  const hits = useHits(query);
  const selected = useApp((state) =>
    state.selection?.kind === "job" ? state.selection.jobIdx : -1,
  );
  const place = hits.indexOf(selected);
  const hitsNow = useRef(hits);
  hitsNow.current = hits;

  useEffect(() => {
    const go = (step: 1 | -1) => () => {
      const next = nextHit(hitsNow.current, useApp.getState().selection, step);
      if (next >= 0) run("selectJob", { jobIdx: next });
    };
    const disabled = () => (hitsNow.current.length > 0 ? null : "Nothing is found");
    define("searchNext", {
      label: "Next search hit",
      keys: ["Enter"],
      group: "select",
      disabled,
      run: go(1),
    });
    define("searchPrevious", {
      label: "Previous search hit",
      keys: ["Shift+Enter"],
      group: "select",
      disabled,
      run: go(-1),
    });
  }, []);

  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") run(event.shiftKey ? "searchPrevious" : "searchNext");
    else if (event.key === "Escape" && query !== "") useApp.setState({ search: "" });
    else if (event.key === "Escape") event.currentTarget.blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const active = parseSearch(query).length > 0;
  // Found or not, the Gantt shows it: with no hit everything is pale.
  useEffect(() => {
    showSearchHits(active ? hits : null);
    return () => showSearchHits(null);
  }, [active, hits]);
  return (
    <search className="search-box">
      <Search size={14} aria-hidden />
      <input
        type="text"
        className="search-input"
        aria-label="Search jobs"
        aria-describedby="search-fields"
        placeholder="job: user: node: state:"
        spellCheck={false}
        autoComplete="off"
        value={query}
        onChange={(event) => useApp.setState({ search: event.target.value })}
        onKeyDown={onKey}
      />
      <span id="search-fields" className="sr-only">
        Words, or {SEARCH_FIELDS.map((field) => `${field}:`).join(" ")} with a value. Enter selects
        the next hit.
      </span>
      {active ? (
        <>
          <span className="sr-only" role="status">
            {countWords(hits.length, place)}
          </span>
          <Button
            label={`${countWords(hits.length, place)}: table of hits`}
            look="plain"
            className="search-table"
            onClick={() => run("toggleDrawer", { drawer: "hits" })}
          >
            {countWords(hits.length, place)}
          </Button>
          <Button
            label="Previous hit"
            icon={ChevronUp}
            look="icon"
            disabledReason={hits.length === 0 ? "nothing is found" : null}
            onClick={() => run("searchPrevious")}
          />
          <Button
            label="Next hit"
            icon={ChevronDown}
            look="icon"
            disabledReason={hits.length === 0 ? "nothing is found" : null}
            onClick={() => run("searchNext")}
          />
          <Button
            label="Clear search"
            icon={X}
            look="icon"
            onClick={() => useApp.setState({ search: "" })}
          />
        </>
      ) : (
        <Kbd keys="/" />
      )}
    </search>
  );
}

function countWords(count: number, place: number): string {
  if (count === 0) return "no job";
  return place >= 0 ? `${numberText(place + 1)} of ${numberText(count)}` : numberText(count);
}

/** The cursor matters only where the query asks for a state. */
function useHits(query: string): Uint32Array {
  const { stage, current } = useRunData();
  const cursorMs = useCursorMs();
  const terms = useMemo(() => parseSearch(query), [query]);
  const atMs = terms.some((term) => term.field === "state") ? cursorMs : 0;
  return useMemo(
    () => (stage ? searchJobs(stage, current, atMs, terms) : NO_HITS),
    [stage, current, atMs, terms],
  );
}

/** The hit after (or before) the selected job, going around at the ends; −1 if there is none. */
function nextHit(
  hits: Uint32Array,
  selection: ReturnType<typeof useApp.getState>["selection"],
  step: 1 | -1,
): number {
  if (hits.length === 0) return -1;
  const from = selection?.kind === "job" ? hits.indexOf(selection.jobIdx) : -1;
  if (from < 0) return step === 1 ? hits[0]! : hits[hits.length - 1]!;
  return hits[(from + step + hits.length) % hits.length]!;
}
