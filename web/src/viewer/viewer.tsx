import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Blocks } from "../data/blocks";
import { channels } from "../data/rows";
import { count } from "../format";
import { lastOf, settingOf, type Study } from "../model";
import { useChoice } from "../state";
import { strings } from "../strings";
import { shortened } from "../text/visible";
import { entriesOf, filtered, isLost, linked, linkTo, noFilters, taskOf, type Entry, type Filters } from "./entries";
import { EpisodeView, jump } from "./episode_view";
import { hashOf, type EpisodeLink } from "./link";

const words = strings.viewer;
const rowHeight = 58;

interface Hits {
  query: string;
  done: number;
  keys: Set<string>;
}

/** Searches while somebody types; a new query stops the old one. */
function useSearch(blocks: Blocks, query: string): Hits | null {
  const [hits, setHits] = useState<Hits | null>(null);
  useEffect(() => {
    if (query.length < 2) {
      setHits(null);
      return undefined;
    }
    let current = true;
    const keys = new Set<string>();
    setHits({ query, done: 0, keys: new Set() });
    void blocks.search(query, (done, found) => {
      if (!current) return false;
      for (const [block, place] of found) keys.add(`${block} ${place}`);
      setHits({ query, done, keys: new Set(keys) });
      return true;
    });
    return () => {
      current = false;
    };
  }, [blocks, query]);
  return hits;
}

interface Props {
  study: Study;
  blocks: Blocks;
  link: EpisodeLink | null;
  filters: Filters;
  onFilters: (filters: Filters) => void;
}

export function Viewer({ study, blocks, link, filters, onFilters }: Props): JSX.Element {
  const choice = useChoice();
  const [typed, setTyped] = useState("");
  const [query, setQuery] = useState("");
  const [beside, setBeside] = useState<string | null>(null);
  const [unfolded, setUnfolded] = useState(false);
  const [keysShown, setKeysShown] = useState(false);
  const entries = useMemo(() => entriesOf(study), [study]);
  const hits = useSearch(blocks, query);
  const found = useMemo(() => filtered(entries, filters, choice, hits === null ? null : hits.keys), [entries, filters, choice, hits]);
  const chosen = useMemo(() => (link === null ? null : linked(entries, link)), [entries, link]);
  useEffect(() => {
    const timer = setTimeout(() => setQuery(typed.trim().toLowerCase()), 180);
    return () => clearTimeout(timer);
  }, [typed]);

  // The reference stands beside an arm, and the chosen arm beside the reference, where there is room.
  const usual = chosen === null || window.innerWidth < 1000 ? "" : usuallyBeside(chosen, choice.arm);
  const besideArm = beside ?? usual;
  const open = (entry: Entry | undefined): void => {
    if (entry !== undefined) location.hash = hashOf(linkTo(entry, null));
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape") {
        if (target.matches("input, select")) target.blur();
        else location.hash = "#episodes";
        return;
      }
      if (target.matches("input:not([type=checkbox]), select, textarea")) return;
      const at = chosen === null ? -1 : found.indexOf(chosen);
      const episode = document.getElementById("episode");
      switch (event.key) {
        case "j":
          open(found[Math.min(found.length - 1, at + 1)]);
          break;
        case "k":
          open(found[Math.max(0, at - 1)]);
          break;
        case "n":
          jump(episode, 1);
          break;
        case "p":
          jump(episode, -1);
          break;
        case "x":
          setUnfolded(!unfolded);
          break;
        case "b":
          setBeside(besideArm === "" ? (chosen === null ? "" : usuallyBeside(chosen, choice.arm)) : "");
          break;
        case "/":
          document.getElementById("search")?.focus();
          break;
        case "?":
          setKeysShown(!keysShown);
          break;
        default:
          return;
      }
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });

  return (
    <div class={chosen === null ? "viewer" : "viewer open"}>
      <aside aria-label={words.filters}>
        <FilterForm study={study} filters={filters} onFilters={onFilters} typed={typed} onTyped={setTyped} />
        <p class="found" role="status">
          {words.found(count(found.length), count(entries.length))}
          {hits !== null && (
            <>
              <br />
              {hits.done < blocks.size ? words.searching(hits.done, blocks.size, hits.keys.size) : words.searched(hits.keys.size)}
            </>
          )}
        </p>
        <List entries={found} chosen={chosen} isLostAt={(entry) => isLost(entry, choice)} onOpen={open} k={(entry) => settingOf(choice, lastOf(entry.cell)).k} several={study.cells.length > 1} />
        <details open={keysShown} class="keys">
          <summary>{words.keys}</summary>
          <dl>
            {words.keyList.map(([key, meaning]) => (
              <div>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </details>
      </aside>
      <section class="reader" aria-label={words.title}>
        {chosen === null ? (
          <p class="hint">{words.choose}</p>
        ) : (
          <>
            <a class="back" href="#episodes">
              ← {words.list}
            </a>
            <EpisodeView
              blocks={blocks}
              entries={entries}
              entry={chosen}
              turn={link?.turn ?? null}
              query={hits === null ? "" : hits.query}
              choice={choice}
              beside={besideArm}
              onBeside={setBeside}
              unfolded={unfolded}
              onUnfold={setUnfolded}
            />
          </>
        )}
      </section>
    </div>
  );
}

function usuallyBeside(entry: Entry, arm: string): string {
  const reference = entry.cell.findings.reference;
  if (entry.side.findings.arm !== reference) return reference;
  const compared = entry.cell.findings.comparisons.map((comparison) => comparison.arm);
  return compared.includes(arm) ? arm : (compared[compared.length - 1] ?? "");
}

function FilterForm({ study, filters, onFilters, typed, onTyped }: { study: Study; filters: Filters; onFilters: (filters: Filters) => void; typed: string; onTyped: (text: string) => void }): JSX.Element {
  const set = (change: Partial<Filters>): void => onFilters({ ...filters, ...change });
  const arms = [...new Set(study.cells.flatMap((cell) => cell.sides.map((side) => side.findings.arm)))];
  const value = (event: Event): string => (event.currentTarget as HTMLInputElement | HTMLSelectElement).value;
  const changed = JSON.stringify(filters) !== JSON.stringify(noFilters);
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <label class="field wide">
        {words.search}
        <input id="search" type="search" value={typed} onInput={(event) => onTyped(value(event))} />
      </label>
      {study.cells.length > 1 && (
        <label class="field wide">
          {words.cell}
          <select value={filters.cell === null ? "" : String(filters.cell)} onChange={(event) => set({ cell: value(event) === "" ? null : Number(value(event)) })}>
            <option value="">{words.any}</option>
            {study.cells.map((cell, i) => (
              <option value={String(i)}>{shortened(cell.findings.cell, 60)}</option>
            ))}
          </select>
        </label>
      )}
      <label class="field">
        {words.arm}
        <select value={filters.arm} onChange={(event) => set({ arm: value(event) })}>
          <option value="">{words.any}</option>
          {arms.map((arm) => (
            <option value={arm}>{shortened(arm, 40)}</option>
          ))}
        </select>
      </label>
      <label class="field">
        {words.outcome}
        <select value={filters.outcome} onChange={(event) => set({ outcome: value(event) as Filters["outcome"] })}>
          {Object.entries(words.outcomes).map(([name, text]) => (
            <option value={name}>{text}</option>
          ))}
        </select>
      </label>
      <label class="field">
        {words.channel}
        <select value={filters.channel} onChange={(event) => set({ channel: value(event) })}>
          <option value="">{words.any}</option>
          {channels.map((name) => (
            <option value={name}>{strings.channelWords(name)}</option>
          ))}
        </select>
      </label>
      <label class="field">
        {words.errors}
        <input type="number" min="0" max="999" value={String(filters.errors)} onInput={(event) => set({ errors: Math.max(0, Number(value(event)) || 0) })} />
      </label>
      <label class="field">
        {words.task}
        <input type="text" placeholder={words.taskHint} value={filters.task} onInput={(event) => set({ task: value(event) })} />
      </label>
      <label class="field">
        {words.name}
        <input type="text" placeholder={words.nameHint} value={filters.name} onInput={(event) => set({ name: value(event) })} />
      </label>
      {changed && (
        <button type="button" class="quiet" onClick={() => onFilters(noFilters)}>
          {words.clear}
        </button>
      )}
    </form>
  );
}

interface ListProps {
  entries: Entry[];
  chosen: Entry | null;
  isLostAt: (entry: Entry) => boolean;
  onOpen: (entry: Entry) => void;
  k: (entry: Entry) => number;
  several: boolean;
}

/** The episodes; only the visible ones are in the document. */
function List({ entries, chosen, isLostAt, onOpen, k, several }: ListProps): JSX.Element {
  const ref = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const at = chosen === null ? -1 : entries.indexOf(chosen);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const element = ref.current;
    if (element === null || at < 0) return;
    if (at * rowHeight < element.scrollTop || (at + 1) * rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = Math.max(0, at * rowHeight - element.clientHeight / 3);
    }
  }, [at, entries]);
  const first = Math.max(0, Math.floor(top / rowHeight) - 4);
  const last = Math.min(entries.length, Math.ceil((top + height) / rowHeight) + 4);
  const onKey = (event: KeyboardEvent): void => {
    const next = event.key === "ArrowDown" ? at + 1 : event.key === "ArrowUp" ? at - 1 : event.key === "Home" ? 0 : event.key === "End" ? entries.length - 1 : null;
    if (next === null) return;
    const entry = entries[Math.max(0, Math.min(entries.length - 1, next))];
    if (entry !== undefined) onOpen(entry);
    event.preventDefault();
  };
  if (entries.length === 0) return <p class="hint">{words.noneSelected}</p>;
  return (
    <div
      class="list"
      ref={ref}
      role="listbox"
      aria-label={words.list}
      tabIndex={0}
      onScroll={(event) => setTop((event.currentTarget as HTMLElement).scrollTop)}
      onKeyDown={onKey}
      {...(at >= first && at < last ? { "aria-activedescendant": `entry-${at}` } : {})}
    >
      <div class="spacer" role="presentation" style={{ height: `${entries.length * rowHeight}px` }}>
        {entries.slice(first, last).map((entry, i) => {
          const number = first + i;
          const { episode } = entry;
          const lost = isLostAt(entry);
          return (
            <div
              key={number}
              id={`entry-${number}`}
              role="option"
              aria-selected={number === at}
              aria-posinset={number + 1}
              aria-setsize={entries.length}
              class={number === at ? "entry current" : "entry"}
              style={{ transform: `translateY(${number * rowHeight}px)` }}
              onClick={() => onOpen(entry)}
            >
              <span class="entry-title" dir="auto">
                {shortened(taskOf(entry), 60)}
              </span>
              <span class="entry-facts">
                <span class={`arm-name tone-${entry.sideNumber % 7}`} dir="auto">
                  {shortened(entry.side.findings.arm, 20)}
                </span>{" "}
                · {words.trial(episode.trial)} ·{" "}
                <span class={episode.success && !lost ? "good" : "bad"}>
                  {episode.excluded !== "" ? words.outcomes.vanished : lost ? words.lost(k(entry)) : episode.success ? words.solved : words.notSolved}
                </span>
                {entry.errors > 0 && ` · ${words.failedCalls(entry.errors)}`}
                {several && <span class="dim"> · {shortened(entry.cell.findings.cell, 30)}</span>}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
