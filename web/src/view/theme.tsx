import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { strings } from "../strings";

const key = "unmask-theme";

// A file:// page may have no storage.
function stored(): string {
  try {
    return localStorage.getItem(key) ?? "auto";
  } catch {
    return "auto";
  }
}

export function ThemeSwitch(): JSX.Element {
  const [theme, setTheme] = useState(stored());
  useEffect(() => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem(key, theme);
    } catch {
      // then it lasts as long as the page
    }
  }, [theme]);
  return (
    <label class="field theme">
      {strings.page.theme}
      <select id="theme" value={theme} onChange={(event) => setTheme((event.currentTarget as HTMLSelectElement).value)}>
        {Object.entries(strings.page.themes).map(([name, text]) => (
          <option value={name}>{text}</option>
        ))}
      </select>
    </label>
  );
}
