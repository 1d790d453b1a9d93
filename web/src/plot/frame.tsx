import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { download, csvOf } from "../data/download";
import { svgOf } from "../data/svg";
import { strings } from "../strings";

// What is drawn is as large as the text beside it: on a wide screen the page's text grows.
const usualFontSize = 15.6;
let scale = 1;

function scaled(width: number): number {
  scale = Math.max(1, parseFloat(getComputedStyle(document.documentElement).fontSize) / usualFontSize);
  return Math.round(width / scale);
}

/** Width of an element in the units of its drawing, followed while it changes. */
export function useWidth(initial: number): [preact.RefObject<HTMLDivElement>, number] {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(initial);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver((entries) => {
      const entry = entries[entries.length - 1];
      if (entry !== undefined && entry.contentRect.width > 0) setWidth(scaled(entry.contentRect.width));
    });
    observer.observe(element);
    if (element.clientWidth > 0) setWidth(scaled(element.clientWidth));
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

export interface Table {
  head: string[];
  rows: string[][];
}

interface FigureProps {
  id: string;
  title: string;
  /** A sentence that says what the figure shows: its text alternative too. */
  text: string;
  /** What there is to know about how it was made. */
  note?: ComponentChildren;
  table: Table;
  legend?: ComponentChildren;
  draw: (width: number) => JSX.Element | null;
}

/** A figure with its text, its numbers as a table, and the table as CSV. */
export function Figure({ id, title, text, note, table, legend, draw }: FigureProps): JSX.Element {
  const [ref, width] = useWidth(640);
  return (
    <figure class="figure" id={id}>
      <figcaption>
        <h3 id={`${id}-title`}>{title}</h3>
        <p id={`${id}-text`}>{text}</p>
      </figcaption>
      {legend}
      <div class="plot" ref={ref}>
        {draw(width)}
      </div>
      {note !== undefined && <p class="note">{note}</p>}
      <details class="numbers">
        <summary>{strings.figure.numbers}</summary>
        <NumberTable table={table} caption={title} />
        <button type="button" class="quiet" onClick={() => download(`${id}.csv`, "text/csv", csvOf(table))}>
          {strings.figure.csv}
        </button>{" "}
        <button
          type="button"
          class="quiet"
          onClick={() => {
            const drawing = ref.current?.querySelector("svg");
            if (drawing !== null && drawing !== undefined) download(`${id}.svg`, "image/svg+xml", svgOf(drawing));
          }}
        >
          {strings.figure.svg}
        </button>
      </details>
    </figure>
  );
}

export function NumberTable({ table, caption }: { table: Table; caption: string }): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`${caption}: ${strings.figure.table}`}>
      <table class="data">
        <thead>
          <tr>
            {table.head.map((title) => (
              <th scope="col">{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <tr>
              {row.map((cell, i) =>
                i === 0 ? (
                  <th scope="row" dir="auto">
                    {cell}
                  </th>
                ) : (
                  <td>{cell}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The drawing itself: an image with a title and a description for those who don't see it. */
export function Drawing(props: {
  labelledBy: string;
  width: number;
  height: number;
  children: ComponentChildren;
  onPick?: (x: number) => void;
}): JSX.Element {
  const { labelledBy, width, height, children, onPick } = props;
  const pick = (event: MouseEvent): void => {
    if (onPick === undefined) return;
    const box = (event.currentTarget as SVGSVGElement).getBoundingClientRect();
    onPick(((event.clientX - box.left) / box.width) * width);
  };
  return (
    <svg
      role="img"
      aria-labelledby={`${labelledBy}-title`}
      aria-describedby={`${labelledBy}-text`}
      viewBox={`0 0 ${width} ${height}`}
      width={width * scale}
      height={height * scale}
      class={onPick === undefined ? "" : "pickable"}
      onClick={pick}
    >
      {children}
    </svg>
  );
}

/** The six signs that arms are told apart by besides colour; 0 is the reference's. */
export function Mark({ shape, x, y, size = 4.5, hollow = false }: { shape: number; x: number; y: number; size?: number; hollow?: boolean }): JSX.Element {
  const s = size;
  const paths = [
    `M${-s},0a${s},${s} 0 1,0 ${2 * s},0a${s},${s} 0 1,0 ${-2 * s},0Z`,
    `M${-s},${-s}H${s}V${s}H${-s}Z`,
    `M0,${-1.3 * s}L${1.2 * s},${s}H${-1.2 * s}Z`,
    `M0,${-1.4 * s}L${1.4 * s},0L0,${1.4 * s}L${-1.4 * s},0Z`,
    `M0,${1.3 * s}L${1.2 * s},${-s}H${-1.2 * s}Z`,
    `M${-s},${-s}L${s},${s}M${-s},${s}L${s},${-s}`,
  ];
  return <path d={paths[shape % paths.length] as string} transform={`translate(${x},${y})`} class={hollow ? "mark hollow" : "mark"} />;
}

export interface LegendEntry {
  label: string;
  shape: number;
  tone: string;
}

export function Legend({ entries }: { entries: LegendEntry[] }): JSX.Element {
  return (
    <ul class="legend">
      {entries.map((entry) => (
        <li>
          <svg width="22" height="14" viewBox="0 0 22 14" class={entry.tone} aria-hidden="true">
            <line x1="1" x2="21" y1="7" y2="7" class="line" />
            <Mark shape={entry.shape} x={11} y={7} />
          </svg>
          <span dir="auto">{entry.label}</span>
        </li>
      ))}
    </ul>
  );
}

/** Colour class of the i-th arm of a cell; the reference is 0. */
export const tone = (i: number): string => `tone-${i % 7}`;
