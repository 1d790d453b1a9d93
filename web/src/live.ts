/**
 * `unmask view` serves the very file that `unmask report` writes, and its version in a header that a page can
 * read. A page with that header asks now and then whether there is another version, and takes what is in it.
 */

import { partsOf, type PageParts } from "./data/parts";

export type Following =
  | { state: "live" }
  /** The logs can't be read at the moment: what is shown is older. */
  | { state: "stuck"; problem: string }
  /** Nobody answers any more. */
  | { state: "ended" };

const askEvery = 1500;
const askHiddenEvery = 10_000;

/** The version that this page was served with; null for a file, or from any other server. */
export function servedVersion(): string | null {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return navigation?.serverTiming?.find((entry) => entry.name === "unmask")?.description ?? null;
}

async function asked(path: string): Promise<Response> {
  const response = await fetch(path, { cache: "no-store" });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response;
}

/** Calls `onPage` for each new version, `onState` when the state changes; returns what stops it. */
export function follow(served: string, onState: (following: Following) => void, onPage: (parts: PageParts) => Promise<void>): () => void {
  let version = served;
  let told = JSON.stringify({ state: "live" });
  let stopped = false;
  let asking = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (following: Following): void => {
    const text = JSON.stringify(following);
    if (text !== told && !stopped) onState(following);
    told = text;
  };
  const ask = async (): Promise<void> => {
    asking = true;
    try {
      const now = (await (await asked("status")).json()) as { version: string; problem: string };
      if (now.version !== version && now.version !== "") {
        const html = await (await asked("./")).text();
        if (!stopped) await onPage(partsOf(new DOMParser().parseFromString(html, "text/html")));
        version = now.version;
      }
      tell(now.problem === "" ? { state: "live" } : { state: "stuck", problem: now.problem });
    } catch {
      tell({ state: "ended" });
    }
    asking = false;
    if (!stopped) timer = setTimeout(() => void ask(), document.hidden ? askHiddenEvery : askEvery);
  };
  const soon = (): void => {
    if (document.hidden || asking) return;
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), 0);
  };
  timer = setTimeout(() => void ask(), askEvery);
  document.addEventListener("visibilitychange", soon);
  return () => {
    stopped = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", soon);
  };
}
