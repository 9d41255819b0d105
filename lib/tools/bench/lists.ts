import { spawn } from "node:child_process";
import { once } from "node:events";
import { median } from "@/lib/tools/bench/measure";
import { root, step } from "@/lib/tools/launch/bootstrap.mjs";

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

/** Rows of every table in the smaller database. */
const FEW_ROWS = 10_000;
const REPETITIONS = 15;
/** Rounds of a page on one database before the other's turn. */
const ROUNDS_PER_TURN = 5;

/** The settings of a process that measures on a database with the schema only. */
type Settings = { DATABASE_URL: string; DATA_DIR: string; CANDOR_SECRET: string };

/**
 * Measures each page on two databases in turn, so that other work on the machine slows both. Each has its own process:
 * it calls the same functions as the pages, and their connection pool is bound to one database.
 */
export async function measureLists(
  databases: { few: Settings; many: Settings },
  manyRows: number,
  version: string,
): Promise<Lists> {
  const few = await startProcess(databases.few, FEW_ROWS, manyRows);
  const started = [few];
  try {
    const many = await startProcess(databases.many, manyRows, manyRows);
    started.push(many);
    const measured: Lists["lists"] = [];
    await step(`Measuring ${few.lists.length} lists`, async () => {
      for (const [index, { page, name, hasMidPage }] of few.lists.entries()) {
        const measure = async (isMidPage: boolean) => {
          const times: { few: number[]; many: number[] } = { few: [], many: [] };
          for (let turn = 0; turn < REPETITIONS / ROUNDS_PER_TURN; turn += 1) {
            const request = { index, isMidPage, rounds: ROUNDS_PER_TURN };
            times.few.push(...(await few.measure(request)));
            times.many.push(...(await many.measure(request)));
          }
          return { few: median(times.few), many: median(times.many) };
        };
        const first = await measure(false);
        measured.push({
          page,
          name,
          first,
          midPage: hasMidPage && many.lists[index]?.hasMidPage ? await measure(true) : null,
        });
      }
    });
    return {
      name: LISTS,
      postgres: version,
      about: `a page of every list of the portal, the first and one from the middle, medians of ${REPETITIONS} on each of two databases in turn; 1.0 × where both take less than a millisecond`,
      rows: { few: FEW_ROWS, many: manyRows },
      fillSeconds: few.fillSeconds + many.fillSeconds,
      lists: measured,
    };
  } finally {
    await Promise.all(started.map(({ end }) => end()));
  }
}

/** The pages that a process has measured are ready: sent once, when its database is filled. */
export type Filled = { fillSeconds: number; lists: { page: string; name: string; hasMidPage: boolean }[] };
/** Asks a process for the milliseconds of a list's page, the first or one from the middle, in each of some rounds. */
export type MeasureRequest = { index: number; isMidPage: boolean; rounds: number };

/** Fills the database and returns how to measure on it. */
async function startProcess(settings: Settings, rows: number, lastRow: number) {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "lib/tools/bench/lists-process.ts", String(rows), String(lastRow)],
    {
      cwd: root,
      env: { PATH, HOME, NODE_ENV: "production", ...settings },
      stdio: ["ignore", 2, "inherit", "ipc"],
    },
  );
  const ended = once(child, "exit");
  const failed = ended.then(([code]) => {
    throw new Error(`${LISTS}: the measuring process ended with ${code}.`);
  });
  failed.catch(() => undefined); // reported by the answer that doesn't come
  const answer = async <T>(): Promise<T> => {
    const [message] = await Promise.race([once(child, "message"), failed]);
    return message as T;
  };
  const filled = await answer<Filled>();
  return {
    ...filled,
    measure: (request: MeasureRequest): Promise<number[]> => {
      const times = answer<number[]>();
      child.send(request);
      return times;
    },
    end: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
