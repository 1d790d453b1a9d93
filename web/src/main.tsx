import "./style.css";
import { render, type JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Blocks } from "./data/blocks";
import { partsOf, type PageParts } from "./data/parts";
import type { Findings } from "./data/findings";
import type { Margins } from "./data/margins";
import { rowsOf, type PackedRows } from "./data/rows";
import { unpacked } from "./data/unpack";
import { count } from "./format";
import { follow, servedVersion, type Following } from "./live";
import { studyOf, type Study } from "./model";
import { store, useChoice } from "./state";
import { strings } from "./strings";
import { shortened } from "./text/visible";
import { Controls } from "./view/controls";
import { FindingsView } from "./view/findings_view";
import { MarginsView } from "./view/margins_view";
import { Methods } from "./view/methods";
import { LiveState } from "./view/live_state";
import { ThemeSwitch } from "./view/theme";
import { noFilters, type Filters } from "./viewer/entries";
import { linkOf } from "./viewer/link";
import { Viewer } from "./viewer/viewer";

type View = "findings" | "episodes" | "methods";

function viewOf(hash: string): View {
  if (linkOf(hash) !== null || hash === "#episodes") return "episodes";
  return hash === "#methods" ? "methods" : "findings";
}

interface Shown {
  study: Study;
  blocks: Blocks;
  margins: Margins | null;
  json: () => string;
}

function App({ study, blocks, margins, json, following }: Shown & { following: Following | null }): JSX.Element {
  const choice = useChoice();
  const [hash, setHash] = useState(location.hash);
  const [filters, setFilters] = useState<Filters>(noFilters);
  useEffect(() => {
    const changed = (): void => setHash(location.hash);
    window.addEventListener("hashchange", changed);
    return () => window.removeEventListener("hashchange", changed);
  }, []);
  const view = viewOf(hash);
  const link = useMemo(() => linkOf(hash), [hash]);
  useEffect(() => {
    const section = view === "findings" ? document.querySelector(`main [id="${CSS.escape(hash.slice(1))}"]`) : null;
    if (section !== null) section.scrollIntoView();
    else window.scrollTo(0, 0);
  }, [view]);
  useEffect(() => {
    document.title = `${strings.page.product} · ${study.findings.cells.slice(0, 3).map((cell) => shortened(cell.cell, 60)).join(", ")}`;
  }, [study]);
  const { findings } = study;
  const arms = findings.cells.reduce((sum, cell) => sum + cell.arms.length, 0);
  const episodes = findings.cells.reduce((sum, cell) => sum + cell.arms.reduce((inner, arm) => inner + arm.episodes, 0), 0);
  const onCalls = (channel: string, name: string): void => {
    setFilters({ ...noFilters, cell: study.cells.length > 1 ? choice.cell : null, channel, name });
    location.hash = "#episodes";
  };
  const tab = (to: View, text: string): JSX.Element => (
    <a href={to === "findings" ? "#findings" : `#${to}`} {...(view === to ? { "aria-current": "page" } : {})}>
      {text}
    </a>
  );
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault(); // the address says which episode is open
          document.getElementById("main")?.focus();
        }}
      >
        {strings.page.skip}
      </a>
      <header class="top">
        <div class="brand">
          <h1>{strings.page.title}</h1>
          <p>{strings.page.summary(strings.page.cells(findings.cells.length), arms, count(episodes), `unmask ${findings.unmask.version}`)}</p>
        </div>
        <nav aria-label={strings.page.nav}>
          {tab("findings", strings.page.overview)}
          {tab("episodes", strings.page.episodes)}
          {tab("methods", strings.page.methods)}
        </nav>
        {following !== null && <LiveState following={following} />}
        <ThemeSwitch />
      </header>
      {view !== "methods" && study.cells.length > 0 && <Controls study={study} choice={choice} ofCell={view === "findings"} />}
      <main id="main" tabIndex={-1} class={view}>
        {view === "findings" && (
          <>
            <FindingsView study={study} choice={choice} onCalls={onCalls} />
            {margins !== null && <MarginsView margins={margins} choice={choice} />}
            {findings.warnings.length > 0 && (
              <p class="section">
                <a href="#methods">{strings.page.warnings(findings.warnings.length)}</a>
              </p>
            )}
          </>
        )}
        {view === "episodes" && <Viewer study={study} blocks={blocks} link={link} filters={filters} onFilters={setFilters} />}
        {view === "methods" && <Methods study={study} json={json} />}
      </main>
    </>
  );
}

/** The findings as the command prints them: `<` stands for its escape again. */
function withMarkup(json: string): string {
  return json.replace(/\\(u003c|.)/g, (escape, code: string) => (code === "u003c" ? "<" : escape));
}

/** Resolves when the whole document is parsed: only then all blocks are there. */
function parsed(): Promise<void> {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((resolve) => document.addEventListener("DOMContentLoaded", () => resolve(), { once: true }));
}

async function shownOf(parts: PageParts): Promise<Shown> {
  const findings = JSON.parse(parts.findings) as Findings;
  const rows = rowsOf(JSON.parse(await unpacked(parts.rows)) as PackedRows);
  return { study: studyOf(findings, rows), blocks: new Blocks(parts.blocks), margins: parts.margins === null ? null : (JSON.parse(parts.margins) as Margins), json: () => withMarkup(parts.findings) };
}

/** The page; one that `unmask view` serves takes what changes there, and leaves the reader where he is. */
function Root({ first, served }: { first: Shown; served: string | null }): JSX.Element {
  const [shown, setShown] = useState(first);
  const [following, setFollowing] = useState<Following | null>(served === null ? null : { state: "live" });
  const latest = useRef(first);
  useEffect(() => {
    if (served === null) return undefined;
    return follow(served, setFollowing, async (parts) => {
      const next = await shownOf(parts);
      // The chosen cell is a number: another cell may have come before it.
      const name = latest.current.study.findings.cells[store.get().cell]?.cell;
      const cell = next.study.findings.cells.findIndex((entry) => entry.cell === name);
      latest.current = next;
      store.set({ cell: Math.max(0, cell) });
      setShown(next);
    });
  }, [served]);
  return <App {...shown} following={following} />;
}

async function start(root: HTMLElement): Promise<void> {
  const first = await shownOf(partsOf(document));
  const link = linkOf(location.hash);
  const cell = link === null ? -1 : first.study.findings.cells.findIndex((entry) => entry.cell === link.cell);
  if (cell >= 0) store.set({ cell });
  if (link !== null || location.hash === "#episodes") await parsed();
  root.textContent = "";
  render(<Root first={first} served={servedVersion()} />, root);
  await parsed();
  document.documentElement.dataset.ready = "yes";
}

const root = document.getElementById("app");
if (root !== null) {
  root.textContent = strings.page.loading;
  start(root).catch((error: unknown) => {
    root.textContent = `${strings.page.broken} ${String(error)}`;
  });
}
