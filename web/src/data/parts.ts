/** What the command puts into a page (docs/report-page.md, "Two halves"). */

export interface PageParts {
  /** JSON, its `<` escaped. */
  findings: string;
  /** Packed. */
  rows: string;
  /** Packed, one an element; of a page that is still being parsed more may come. */
  blocks: ArrayLike<{ textContent: string | null }>;
}

export function partsOf(page: Document): PageParts {
  return {
    findings: page.getElementById("findings")?.textContent ?? "",
    rows: page.getElementById("rows")?.textContent ?? "",
    blocks: page.getElementsByClassName("block"),
  };
}
