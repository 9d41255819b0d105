// @ts-check
// A browser for the end-to-end tests.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { LaunchError, run, step } from "./bootstrap.mjs";

// The headless shell first: it has no toolbar or tabs, whose rendering takes a third of the tests' time.
const systemPaths = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/**
 * The Chromium to use: CHROMIUM_PATH, the system's, or (undefined) Playwright's.
 * @returns {string | undefined}
 */
export function chromiumPath() {
  return process.env.CHROMIUM_PATH || systemPaths.find((file) => existsSync(file));
}

/** Installs a browser if there is none: Debian's as root, else Playwright's. */
export async function ensureChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given && !existsSync(given)) throw new LaunchError(`CHROMIUM_PATH is ${given}, which doesn't exist.`);
  if (chromiumPath() || existsSync(playwrightChromiumPath())) return;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const isInstalled = await step("Installing Chromium for the browser tests (apt-get, about half a minute)", () =>
      run("apt-get", ["update", "-q"], { env })
        .then(() => run("apt-get", ["install", "-q", "-y", "chromium-headless-shell"], { env }))
        .then(
          () => true,
          () => false, // Ubuntu doesn't have this package
        ),
    );
    if (isInstalled) return;
  }
  const cli = createRequire(import.meta.url).resolve("@playwright/test/cli");
  try {
    await step("Downloading Chromium for the browser tests (Playwright)", () =>
      run(process.execPath, [cli, "install", "chromium"]),
    );
  } catch (cause) {
    throw new LaunchError(
      "Chromium is missing, which the browser tests need. Install it (Debian: apt-get install chromium-headless-shell) or set CHROMIUM_PATH.",
      { cause },
    );
  }
}

function playwrightChromiumPath() {
  return createRequire(import.meta.url)("@playwright/test").chromium.executablePath();
}
