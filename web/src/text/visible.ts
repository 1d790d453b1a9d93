/** Text from a log as it may be shown: what would hide or turn it round becomes a symbol. */

const reserved = // C0 but tab and line feed, DEL, C1, bidirectional, zero-width, separators, BOM, tags
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

function symbol(character: string): string {
  const code = character.codePointAt(0) as number;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, "0")}\u27e9`;
}

export function visible(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(reserved, symbol);
}

/** On one line, cut to `length` characters: for names, labels and titles. */
export function shortened(text: string, length: number): string {
  const cut = text.length > 4 * length ? text.slice(0, 4 * length) : text;
  const line = visible(cut).replace(/\s+/g, " ");
  const characters = Array.from(line);
  if (characters.length <= length && cut === text) return line;
  return `${characters.slice(0, length - 1).join("")}\u2026`;
}

/** JSON text laid out; anything else as it is. Large texts stay: laying them out would double them. */
export function pretty(text: string): string {
  if (text.length > 200_000 || !/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
