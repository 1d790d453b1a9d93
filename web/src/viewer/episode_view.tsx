import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Blocks, Body } from "../data/blocks";
import { count, fixed } from "../format";
import { lastOf, settingOf } from "../model";
import type { Choice } from "../state";
import { strings } from "../strings";
import { pretty, shortened, visible } from "../text/visible";
import { counterpart, isLost, linkTo, taskOf, type Entry } from "./entries";
import { hashOf } from "./link";
import { commonPrefix, openingTurn, unitsOf, type ShownCall, type Unit } from "./transcript";

const words = strings.viewer;
const foldedCharacters = 900;
const foldedLines = 18;
const pieceCharacters = 50_000;

/** Text with the hits of a search marked. */
function Marked({ text, query }: { text: string; query: string }): JSX.Element {
  if (query === "" || text.length > 2 * pieceCharacters) return <>{text}</>;
  const parts: ComponentChildren[] = [];
  const lower = text.toLowerCase();
  if (lower.length !== text.length) return <>{text}</>; // letters that grow in lower case move places
  let from = 0;
  for (let at = lower.indexOf(query); at >= 0 && parts.length < 1000; at = lower.indexOf(query, from)) {
    parts.push(text.slice(from, at), <mark>{text.slice(at, at + query.length)}</mark>);
    from = at + query.length;
  }
  parts.push(text.slice(from));
  return <>{parts}</>;
}

/** A text that is folded when it is long, and unfolded piece by piece when it is very long. */
function Text({ text, query, code = false, unfolded }: { text: string; query: string; code?: boolean; unfolded: boolean }): JSX.Element {
  const [open, setOpen] = useState(0);
  const whole = code ? pretty(text) : text;
  const lines = whole.length > pieceCharacters ? foldedLines + 1 : whole.split("\n").length;
  const long = whole.length > foldedCharacters * 1.5 || lines > foldedLines * 1.5;
  const hit = query !== "" && whole.length <= 2 * pieceCharacters && whole.toLowerCase().includes(query);
  const pieces = open > 0 ? open : long && !unfolded && !hit ? 0 : 1;
  let end = pieces * pieceCharacters;
  if (pieces === 0) {
    end = foldedCharacters;
    let at = -1;
    for (let i = 0; i < foldedLines; ++i) {
      at = whole.indexOf("\n", at + 1);
      if (at < 0) break;
    }
    if (at > 0) end = Math.min(end, at);
  }
  const shown = visible(whole.slice(0, end));
  const rest = whole.length - end;
  const Tag = code ? "pre" : "div";
  return (
    <>
      <Tag class={code ? "log code" : "log prose"} dir="auto">
        <Marked text={shown} query={query} />
        {rest > 0 && "…"}
      </Tag>
      {rest > 0 && (
        <button type="button" class="quiet small" onClick={() => setOpen(pieces + 1)}>
          {pieces === 0 && whole.length <= pieceCharacters ? words.showAll(count(whole.length)) : words.showMore(count(Math.min(rest, pieceCharacters)))}
        </button>
      )}
      {pieces > 0 && open > 0 && long && (
        <button type="button" class="quiet small" onClick={() => setOpen(0)}>
          {words.fold}
        </button>
      )}
    </>
  );
}

function Call({ shown, k, query, unfolded }: { shown: ShownCall; k: number; query: string; unfolded: boolean }): JSX.Element {
  const { call } = shown;
  return (
    <section class={shown.failed ? "call failed" : "call"}>
      <header>
        <span class="dim">{words.callBy[call.party]} </span>
        <code class="name" dir="auto">
          <Marked text={shortened(call.name, 200)} query={query} />
        </code>
        {call.history === true && <span class="chip">{words.history}</span>}
        {shown.failed && (
          <>
            <span class="chip bad">
              {shown.channel === "" ? words.noDiagnosis : strings.channelShort(shown.channel)}
              {shown.kind !== "" && `: ${strings.kind(shown.kind)}`}
            </span>
            {shown.spent !== null && shown.spent > 0 && <span class="chip">{words.spent(shown.spent, k)}</span>}
          </>
        )}
      </header>
      {call.arguments !== "" && call.arguments !== "{}" && <Text text={call.arguments} query={query} code unfolded={unfolded} />}
      <div class="result">
        <span class="dim">{call.answered ? `${words.result}: ` : words.unanswered}</span>
        {call.answered && <Text text={call.result} query={query} code unfolded={unfolded} />}
      </div>
      {shown.failed && shown.evidence !== "" && <p class="note">{words.evidenceOf(strings.evidence(shown.evidence))}</p>}
      {shown.ends && <p class="ends">{words.ends(k)}</p>}
    </section>
  );
}

interface UnitProps {
  unit: Unit;
  entry: Entry;
  k: number;
  query: string;
  unfolded: boolean;
  target: boolean;
  prefix: string;
}

function Message({ unit, entry, k, query, unfolded, target, prefix }: UnitProps): JSX.Element {
  return (
    <article id={`${prefix}-${unit.turn}`} data-turn={unit.turn} class={`message ${unit.role}${unit.failed ? " has-failed" : ""}${target ? " target" : ""}`}>
      <header>
        <b>{words.roles[unit.role]}</b>
        <a href={hashOf(linkTo(entry, unit.turn))} aria-label={words.link(unit.turn)}>
          {words.turn(unit.turn)}
        </a>
      </header>
      {unit.text !== "" && <Text text={unit.text} query={query} unfolded={unfolded} code={unit.role === "tool"} />}
      {unit.text === "" && unit.calls.length === 0 && <div class="dim">{words.empty}</div>}
      {unit.calls.map((call) => (
        <Call shown={call} k={k} query={query} unfolded={unfolded} />
      ))}
    </article>
  );
}

function Head({ entry, body, choice }: { entry: Entry; body: Body | null; choice: Choice }): JSX.Element {
  const { episode } = entry;
  const { k } = settingOf(choice, lastOf(entry.cell));
  const outcome = episode.excluded !== "" ? words.excluded[episode.excluded] : episode.success ? words.solved : words.notSolved;
  return (
    <header class="episode-head">
      <h3>
        <span class={`arm-name tone-${entry.sideNumber % 7}`} dir="auto">
          {shortened(entry.side.findings.arm, 40)}
        </span>{" "}
        <span class={episode.success ? "chip good" : "chip bad"}>{outcome}</span>
        {isLost(entry, choice) && <span class="chip bad">{words.lost(k)}</span>}
      </h3>
      <p class="dim">
        {words.trial(episode.trial)} · {words.failedCalls(entry.errors)} · {words.turns(episode.messages)} · {words.ended(episode.termination.replace(/_/g, " "))}
        {episode.seconds !== null && ` · ${fixed(episode.seconds, 0)} s`}
      </p>
      {body !== null && body.note !== "" && (
        <p class="log" dir="auto">
          {visible(body.note)}
        </p>
      )}
      {body !== null && body.record !== "" && (
        <details>
          <summary>{words.reward}</summary>
          <Text text={body.record} query="" code unfolded={false} />
        </details>
      )}
    </header>
  );
}

type Loaded = { state: "loading" | "absent" | "broken" } | { state: "there"; body: Body };

/** The same for the same episode of a page that has been updated. */
const keyOf = (entry: Entry | null): string => (entry === null ? "" : hashOf(linkTo(entry, null)));

/** An updated page's text of the same episode takes the old one's place only when it is there. */
function useBody(blocks: Blocks, entry: Entry | null): Loaded {
  const [loaded, setLoaded] = useState<{ key: string; value: Loaded }>({ key: "", value: { state: "loading" } });
  const key = keyOf(entry);
  useEffect(() => {
    if (entry === null) return undefined;
    let current = true;
    if (entry.episode.block < 0) {
      setLoaded({ key, value: { state: "absent" } });
      return undefined;
    }
    blocks.episode(entry.episode.block, entry.episode.place).then(
      (body) => current && setLoaded({ key, value: { state: "there", body } }),
      () => current && setLoaded({ key, value: { state: "broken" } }),
    );
    return () => {
      current = false;
    };
  }, [entry, blocks]);
  return loaded.key === key ? loaded.value : { state: "loading" };
}

interface Props {
  blocks: Blocks;
  entries: Entry[];
  entry: Entry;
  turn: number | null;
  query: string;
  choice: Choice;
  beside: string;
  onBeside: (arm: string) => void;
  unfolded: boolean;
  onUnfold: (unfolded: boolean) => void;
}

/** One episode, or the same task of two arms side by side. */
export function EpisodeView(props: Props): JSX.Element {
  const { blocks, entries, entry, turn, query, choice, beside, onBeside, unfolded, onUnfold } = props;
  const { k } = settingOf(choice, lastOf(entry.cell));
  const others = entry.cell.sides.filter((side) => side !== entry.side).map((side) => side.findings.arm);
  const wanted = others.includes(beside) ? beside : "";
  const other = wanted === "" ? null : counterpart(entries, entry, wanted);
  const mine = useBody(blocks, entry);
  const theirs = useBody(blocks, other);
  const root = useRef<HTMLDivElement>(null);
  const units = mine.state === "there" ? unitsOf(entry, mine.body, choice.semantics, k) : [];
  const otherUnits = other !== null && theirs.state === "there" ? unitsOf(other, theirs.body, choice.semantics, k) : null;
  const opening = turn ?? openingTurn(units);
  const ready = mine.state === "there" && (other === null || theirs.state !== "loading");
  useEffect(() => {
    if (!ready || root.current === null) return;
    const wantedTurn = opening === null ? -1 : opening;
    let target: Element | null = null;
    for (const element of root.current.querySelectorAll(".mine [data-turn], .both [data-turn]")) {
      if (Number(element.getAttribute("data-turn")) <= wantedTurn) target = element;
    }
    if (target === null) root.current.scrollTop = 0;
    else if (!scrollsItself(root.current)) target.scrollIntoView();
    else root.current.scrollTop += target.getBoundingClientRect().top - root.current.getBoundingClientRect().top - underBar(root.current);
  }, [keyOf(entry), ready, turn, wanted]);

  const show = (unit: Unit, owner: Entry, prefix: string): JSX.Element => (
    <Message unit={unit} entry={owner} k={k} query={query} unfolded={unfolded} target={owner === entry && unit.turn === turn} prefix={prefix} />
  );
  const prefix = otherUnits === null ? 0 : commonPrefix(units, otherUnits);
  return (
    <div class="episode" ref={root} id="episode" tabIndex={0} role="region" aria-label={`${shortened(taskOf(entry), 80)}, ${shortened(entry.side.findings.arm, 40)}, ${words.trial(entry.episode.trial)}`}>
      <div class="episode-bar">
        <h2 dir="auto">{shortened(taskOf(entry), 120)}</h2>
        <div class="tools">
          {others.length > 0 && (
            <label class="field">
              {words.beside}
              <select value={wanted} onChange={(event) => onBeside((event.currentTarget as HTMLSelectElement).value)}>
                <option value="">{words.nothingBeside}</option>
                {others.map((arm) => (
                  <option value={arm}>{shortened(arm, 40)}</option>
                ))}
              </select>
            </label>
          )}
          <button type="button" class="quiet" onClick={() => jump(root.current, -1)}>
            <span aria-hidden="true">↑ </span>
            {words.previousFailure}
          </button>
          <button type="button" class="quiet" onClick={() => jump(root.current, 1)}>
            <span aria-hidden="true">↓ </span>
            {words.nextFailure}
          </button>
          <label class="check">
            <input type="checkbox" checked={unfolded} onChange={(event) => onUnfold((event.currentTarget as HTMLInputElement).checked)} /> {words.unfold}
          </label>
        </div>
      </div>
      <div class={other === null ? "heads" : "heads two"}>
        <Head entry={entry} body={mine.state === "there" ? mine.body : null} choice={choice} />
        {other !== null && <Head entry={other} body={theirs.state === "there" ? theirs.body : null} choice={choice} />}
      </div>
      {mine.state === "loading" && <p>{words.loading}</p>}
      {mine.state === "absent" && <p>{words.noText}</p>}
      {mine.state === "broken" && <p>{words.unreadable}</p>}
      {mine.state === "there" && units.length === 0 && <p>{words.noMessages}</p>}
      {mine.state === "there" && otherUnits === null && (
        <div class="mine">
          {units.map((unit) => show(unit, entry, "m"))}
          {other !== null && theirs.state === "absent" && <p>{words.noText}</p>}
        </div>
      )}
      {mine.state === "there" && otherUnits !== null && other !== null && (
        <>
          {prefix > 0 && (
            <div class="both">
              <p class="note">{words.same(prefix)}</p>
              {units.slice(0, prefix).map((unit) => show(unit, entry, "m"))}
            </div>
          )}
          <p class="divergence" id="divergence">
            <span>{words.diverge}</span>
          </p>
          <div class="two">
            <div class="mine" aria-label={shortened(entry.side.findings.arm, 40)} role="group">
              {units.slice(prefix).map((unit) => show(unit, entry, "m"))}
            </div>
            <div class="theirs" aria-label={shortened(other.side.findings.arm, 40)} role="group">
              {otherUnits.slice(prefix).map((unit) => show(unit, other, "o"))}
            </div>
          </div>
        </>
      )}
    </div>
  );
}

// On a phone the page scrolls, and the episode is as long as it is.
function scrollsItself(root: HTMLElement): boolean {
  return getComputedStyle(root).overflowY === "auto";
}

// What the bar above the messages covers, and a little air.
function underBar(root: HTMLElement): number {
  return (root.querySelector<HTMLElement>(".episode-bar")?.offsetHeight ?? 0) + 14;
}

/** Scrolls to the next or previous failed call. */
export function jump(root: HTMLElement | null, direction: 1 | -1): void {
  if (root === null) return;
  const top = scrollsItself(root) ? root.getBoundingClientRect().top + underBar(root) : 80;
  const places = [...root.querySelectorAll<HTMLElement>(".call.failed")].map((element) => element.getBoundingClientRect().top - top);
  const next = direction === 1 ? places.filter((place) => place > 4).sort((a, b) => a - b)[0] : places.filter((place) => place < -4).sort((a, b) => b - a)[0];
  if (next === undefined) return;
  if (scrollsItself(root)) root.scrollTop += next;
  else window.scrollBy(0, next);
}

