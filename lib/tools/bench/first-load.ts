import { gzipSync } from "node:zlib";
import type { Page, Response } from "@playwright/test";

// What a page loads before any interaction: the scripts that the browser fetched, gzipped.

export type FirstLoad = {
  path: string;
  /** bytes of script, gzipped */
  scriptBytes: number;
  files: number;
  /** milliseconds from navigation start until the page is interactive; null if the page doesn't report it */
  usableMs: number | null;
};

const gzipSizes = new Map<string, Promise<number>>();

const gzipSizeOf = (response: Response): Promise<number> => {
  const known = gzipSizes.get(response.url());
  if (known) return known;
  const weight = response.body().then((body) => gzipSync(body).length);
  gzipSizes.set(response.url(), weight);
  return weight;
};

/** Makes a page fetch all scripts each time, as in a first visit. Call it once per page. */
export async function disableScriptCache(page: Page): Promise<void> {
  await page.route("**/_next/static/**/*.js", (route) => route.continue());
}

/** Opens a path and waits for network idle. Counts each script once; failed requests don't count. */
export async function firstLoad(page: Page, path: string): Promise<FirstLoad> {
  // Pending requests of the previous page must not count, and their bodies can't be read once that page is gone.
  await page.goto("about:blank");
  const fetched = new Map<string, Promise<number>>();
  const recordScript = (response: Response) => {
    if (response.request().resourceType() === "script" && response.ok())
      fetched.set(response.url(), gzipSizeOf(response));
  };
  page.on("response", recordScript);
  try {
    await page.goto(path, { waitUntil: "networkidle" });
    const scriptBytes = (await Promise.all(fetched.values())).reduce((sum, weight) => sum + weight, 0);
    const usableMs = await page.evaluate(
      () => performance.getEntriesByName("candor-interactive")[0]?.startTime ?? null,
    );
    return { path, scriptBytes, files: fetched.size, usableMs };
  } finally {
    page.off("response", recordScript);
  }
}
