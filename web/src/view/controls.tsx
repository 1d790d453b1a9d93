import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { defaultSemantics, isDefault, type Semantics } from "../budget/semantics";
import { comparisonOf, lastOf, type Study } from "../model";
import { store, type Choice } from "../state";
import { strings } from "../strings";
import { shortened } from "../text/visible";

const words = strings.controls;

function Segments<T extends string>(props: { name: string; label: string; options: Record<T, string>; value: T; onValue: (value: T) => void }): JSX.Element {
  return (
    <fieldset class="segments">
      <legend>{props.label}</legend>
      {(Object.entries(props.options) as [T, string][]).map(([value, text]) => (
        <label>
          <input type="radio" name={props.name} value={value} checked={value === props.value} onChange={() => props.onValue(value)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Cell and arm (with `ofCell`), budget and its rule: what every figure follows. */
export function Controls({ study, choice, ofCell }: { study: Study; choice: Choice; ofCell: boolean }): JSX.Element {
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event): void => {
      const inside = event instanceof MouseEvent && box.current?.contains(event.target as Node) === true;
      if (box.current !== null && !inside && (event instanceof MouseEvent || (event as KeyboardEvent).key === "Escape")) box.current.open = false;
    };
    document.addEventListener("click", close);
    document.addEventListener("keydown", close);
    return () => {
      document.removeEventListener("click", close);
      document.removeEventListener("keydown", close);
    };
  }, []);
  const cell = study.cells[choice.cell];
  const last = cell === undefined ? study.lastK : lastOf(cell);
  const k = Math.min(choice.k ?? last, last);
  const comparison = cell === undefined ? null : comparisonOf(cell, choice);
  const rule = (change: Partial<Semantics>): void => store.set({ semantics: { ...choice.semantics, ...change } });
  const value = (event: Event): string => (event.currentTarget as HTMLInputElement | HTMLSelectElement).value;
  const own = k === last && isDefault(choice.semantics);
  return (
    <section class="controls" aria-label={words.title}>
      <div class="controls-row">
        {ofCell && study.cells.length > 1 && (
          <label class="field">
            {words.cell}
            <select id="choose-cell" value={String(choice.cell)} onChange={(event) => store.set({ cell: Number(value(event)) })}>
              {study.cells.map((entry, i) => (
                <option value={String(i)}>{shortened(entry.findings.cell, 60)}</option>
              ))}
            </select>
          </label>
        )}
        {ofCell && cell !== undefined && cell.findings.comparisons.length > 1 && (
          <label class="field">
            {words.arm}
            <select id="choose-arm" value={comparison?.arm ?? ""} onChange={(event) => store.set({ arm: value(event) })}>
              {cell.findings.comparisons.map((entry) => (
                <option value={entry.arm}>{shortened(entry.arm, 40)}</option>
              ))}
            </select>
          </label>
        )}
        <label class="field budget">
          <span>
            {words.budget}
            <output id="k-value">{own ? words.ownK(k) : words.atK(k)}</output>
          </span>
          <input
            id="k"
            type="range"
            min="1"
            max={String(last)}
            step="1"
            value={String(k)}
            aria-valuetext={words.atK(k)}
            onInput={(event) => {
              const chosen = Number(value(event));
              store.set({ k: chosen >= last ? null : chosen });
            }}
          />
        </label>
        <details class="rule" ref={box}>
          <summary>
            {words.rule}
            {!isDefault(choice.semantics) && " *"}
          </summary>
          <div class="rule-box">
            <Segments name="counts" label={words.counts} options={words.countsOf} value={choice.semantics.counts} onValue={(counts) => rule({ counts })} />
            <Segments name="how" label={words.how} options={words.howOf} value={choice.semantics.how} onValue={(how) => rule({ how })} />
            <Segments name="tested" label={words.tested} options={words.testedOf} value={choice.semantics.tested} onValue={(tested) => rule({ tested })} />
            <Segments name="ends" label={words.ends} options={words.endsOf} value={choice.semantics.ends} onValue={(ends) => rule({ ends })} />
          </div>
        </details>
        {!own && (
          <button type="button" class="quiet" id="reset" onClick={() => store.set({ k: null, semantics: defaultSemantics })}>
            {words.reset}
          </button>
        )}
      </div>
      {!own && <p class="note">{words.changed}</p>}
    </section>
  );
}
