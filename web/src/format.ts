import { dash } from "./strings";

const minus = "\u2212";

/** A number with `decimals` digits after the point; never "-0.0". */
export function fixed(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return (/^-0(\.0*)?$/.test(text) ? text.slice(1) : text).replace("-", minus);
}

const orDash =
  (write: (value: number) => string) =>
  (value: number | null | undefined): string =>
    value === null || value === undefined || !Number.isFinite(value) ? dash : write(value);

/** A fraction in points, one decimal: 0.167 -> "16.7". */
export const points = orDash((fraction) => fixed(fraction * 100, 1));
/** What is in points already. */
export const inPoints = orDash((value) => fixed(value, 1));
/** A fraction in per cent, without the sign. */
export const percent = orDash((fraction) => {
  const value = fraction * 100;
  return value === 0 ? "0" : fixed(value, value < 1 ? 2 : 1);
});
export const count = orDash((value) => fixed(value, 0).replace(/\B(?=(\d{3})+$)/g, ","));
export const ratio = orDash((value) => fixed(value, value < 2 ? 2 : value < 100 ? 1 : 0));
export const times = orDash((value) => `×${ratio(value)}`);
/** Three significant digits or so, for means of anything. */
export const plain = orDash((value) => (Math.abs(value) >= 100 ? count(value) : fixed(value, Math.abs(value) < 10 ? 2 : 1)));
export const correlation = orDash((value) => fixed(value, 2));

export function pValue(p: number | null | undefined): string {
  if (p === null || p === undefined) return dash;
  return p < 0.001 ? "p < 0.001" : `p ${fixed(p, p < 0.1 ? 3 : 2)}`;
}

type Interval = { low: number | null; high: number | null };

/** " [11.0, 22.4]" by `write`; empty without both ends. */
export function interval(figure: Interval, write: (value: number | null) => string): string {
  return figure.low === null || figure.high === null ? "" : ` [${write(figure.low)}, ${write(figure.high)}]`;
}

/**
 * An interval that lies where its figure can lie. Student's t knows no bounds: where tasks are few, intervals of scores
 * and gaps end beyond them. For display only; the findings keep them as they were computed.
 */
export function within<F extends Interval>(figure: F, least: number, most: number): F {
  const inside = (end: number | null): number | null => (end === null ? null : Math.min(most, Math.max(least, end)));
  return { ...figure, low: inside(figure.low), high: inside(figure.high) };
}

export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  if (value < 1e6) return `${fixed(value / 1e3, 0)} kB`;
  return `${fixed(value / 1e6, 1)} MB`;
}
