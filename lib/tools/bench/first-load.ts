import { gzipSync } from "node:zlib";
import type { Page, Response } from "@playwright/test";

// What a page weighs before anybody did anything on it: the script that the browser really fetched, compressed as every
// browser takes it.

export type FirstLoad = {
  path: string;
  /** bytes of script, gzip */
  scriptBytes: number;
  files: number;
  /** milliseconds from the beginning of the load until the page's script had taken over; null where nothing says so */
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

/** Has a page fetch all its script anew each time, as a browser does that was never here. Once for a page. */
export async function disableScriptCache(page: Page): Promise<void> {
  await page.route("**/_next/static/**/*.js", (route) => route.continue());
}

/** Opens an address and waits until the network rests. Counts each script once; of what fails nothing. */
export async function firstLoad(page: Page, path: string): Promise<FirstLoad> {
  // What the page before still waits for is not this one's, and cannot be weighed when that page is gone.
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
    const usableMs = await page.evaluate(() => performance.getEntriesByName("candor-usable")[0]?.startTime ?? null);
    return { path, scriptBytes, files: fetched.size, usableMs };
  } finally {
    page.off("response", recordScript);
  }
}
