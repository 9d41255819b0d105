import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { root } from "@/lib/tools/launch/bootstrap.mjs";

// The cost of each portal list's pages with a million rows in every table, compared with ten thousand. A list that
// counts, skips or scans rows takes a hundred times as long; one that starts from an index takes the same.

export const LISTS = "lists";
/** Below this many milliseconds a ratio is noise: two such times count as equal. */
const MIN_MEASURABLE_MS = 1;

/** Milliseconds of the same page with few and with many rows. */
export type Pair = { few: number; many: number };
export type Lists = {
  name: typeof LISTS;
  about: string;
  postgres: string;
  /** rows of every table that a list reads */
  rows: Pair;
  /** seconds to insert them */
  fillSeconds: number;
  /** medians; `midPage` is a page from the middle of the list, null if it has only one page */
  lists: { page: string; name: string; first: Pair; midPage: Pair | null }[];
};

/** The ratio of the times with many and few rows; 1 if both are too short to compare. */
export const growthFactor = ({ few, many }: Pair): number =>
  Math.max(many, MIN_MEASURABLE_MS) / Math.max(few, MIN_MEASURABLE_MS);

/**
 * Measures on a database with the schema only, in a separate process: it calls the same functions as the pages, and
 * their connection pool is bound to one database.
 */
export async function measureLists(
  { version, ...settings }: { version: string; DATABASE_URL: string; DATA_DIR: string; CANDOR_SECRET: string },
  rows: number,
): Promise<Lists> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, ["--import", "tsx", "lib/tools/bench/lists-process.ts", String(rows)], {
    cwd: root,
    env: { PATH, HOME, NODE_ENV: "production", ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [answer, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) throw new Error(`${LISTS}: the measuring process ended with ${code}.`);
  return { name: LISTS, postgres: version, ...JSON.parse(answer) };
}
