// Starts Debian's Chromium, with flags that keep it off the network and out of its sandbox (CI runs as root).
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const places = [process.env.UNMASK_CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export function findChromium() {
  return places.find((place) => place && existsSync(place)) ?? null;
}

/** A browser context with an empty profile. */
export async function openChromium(options = {}) {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error("there is no Chromium; install Debian's package chromium");
  return chromium.launchPersistentContext(mkdtempSync(join(tmpdir(), "unmask-chromium-")), {
    executablePath,
    headless: true,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
    ...options,
  });
}
