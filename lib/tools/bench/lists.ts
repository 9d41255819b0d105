import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { root } from "@/lib/tools/launch/bootstrap.mjs";

// What a page of each of the portal's lists costs with a million rows in every table, beside the same page with ten
// thousand: a list that counts, steps over rows or looks through them takes a hundred times as long, one that begins in
// an index takes the same.

export const LISTS = "lists";
/** Below this many milliseconds a ratio tells of the machine's mood: two such are alike. */
const MIN_MEASURABLE_MS = 1;

/** Milliseconds of the same page with few and with many rows. */
export type Pair = { few: number; many: number };
export type Lists = {
  name: typeof LISTS;
  about: string;
  postgres: string;
  /** rows of every table that a list reads */
  rows: Pair;
  /** seconds that it took to make them */
  fillSeconds: number;
  /** medians; `far` is a page from the middle of the list, null where it has no second page */
  lists: { page: string; name: string; first: Pair; midPage: Pair | null }[];
};

/** How many times as long a page takes with many rows: one where both are but a moment. */
export const growthFactor = ({ few, many }: Pair): number =>
  Math.max(many, MIN_MEASURABLE_MS) / Math.max(few, MIN_MEASURABLE_MS);

/**
 * Measures on a database that has only the schema, in a process of its own: it calls the verbs that the pages call, and
 * the pool that they ask belongs to one database for good.
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
