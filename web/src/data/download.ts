import { dash } from "../strings";

/** Hands a file to the browser. */
export function download(name: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

// As programs read them: a hyphen for the minus sign, nothing for a dash.
function plainNumber(text: string): string {
  return text === dash ? "" : text.replace(/^\u2212(?=\d)/, "-");
}

/**
 * RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe in front, unless it
 * is a number.
 */
export function csvCell(text: string): string {
  const number = plainNumber(text);
  const safe = /^[=+\-@\t\r]/.test(number) && Number.isNaN(Number(number)) ? `'${number}` : number;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

export function csvOf(table: { head: string[]; rows: string[][] }): string {
  return [table.head, ...table.rows].map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");
}
