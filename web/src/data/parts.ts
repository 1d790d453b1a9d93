/** What the command puts into a page (docs/report-page.md, "Two halves"). */

import type { BlockSource } from "./blocks";

export interface PageParts {
  /** JSON, its `<` escaped. */
  findings: string;
  /** Packed. */
  rows: string;
  /** JSON as the findings; null where there is none. */
  margins: string | null;
  blocks: BlockSource;
}

/** One block an element; of a page that is still being parsed more may come. */
class OnPage implements BlockSource {
  private readonly elements: HTMLCollectionOf<Element>;
  constructor(page: Document) {
    this.elements = page.getElementsByClassName("block");
  }
  get size(): number {
    return this.elements.length;
  }
  text(number: number): Promise<string> {
    const text = this.elements[number]?.textContent;
    return text === null || text === undefined ? Promise.reject(new Error(`there is no block ${number}`)) : Promise.resolve(text);
  }
}

declare global {
  interface Window {
    /** Where the files of blocks put their texts: `unmaskBlocks[7] = "..."`. */
    unmaskBlocks?: Record<number, string>;
  }
}

/**
 * One block a file beside the page. Files are scripts, for a page that was opened as a file may load nothing else.
 * The page's policy lets those run that lie beside it.
 */
class Beside implements BlockSource {
  private readonly loading = new Map<number, Promise<string>>();
  constructor(readonly size: number) {}
  text(number: number): Promise<string> {
    const known = this.loading.get(number);
    if (known !== undefined) return known;
    const loaded = new Promise<string>((resolve, reject) => {
      const file = document.createElement("script");
      const end = (): void => {
        const text = window.unmaskBlocks?.[number];
        delete window.unmaskBlocks?.[number];
        file.remove();
        this.loading.delete(number);
        if (text === undefined) reject(new Error(`blocks/${number}.js can't be read`));
        else resolve(text);
      };
      file.onload = end;
      file.onerror = end;
      window.unmaskBlocks ??= {};
      file.src = `blocks/${number}.js`;
      document.head.append(file);
    });
    this.loading.set(number, loaded);
    return loaded;
  }
}

export function partsOf(page: Document): PageParts {
  const beside = page.getElementById("blocks-beside")?.textContent ?? undefined;
  return {
    findings: page.getElementById("findings")?.textContent ?? "",
    rows: page.getElementById("rows")?.textContent ?? "",
    margins: page.getElementById("margins-data")?.textContent ?? null,
    blocks: beside === undefined ? new OnPage(page) : new Beside(Number(beside)),
  };
}
