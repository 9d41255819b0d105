import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routes } from "@/app/_routes";
import { verifySummaries } from "@/lib/catalog/summaries/verify-summaries";
import { type CandorClient, createCandorClient, iterateRows } from "@/lib/tools/api-client/client";
import { emptyCopy, synchronize } from "@/lib/tools/api-client/examples/synchronize";
import {
  aClient,
  rowsOf,
  someProducts,
  someReviews,
  someSellerReviews,
  type TestClient,
} from "@/lib/tools/test/factories";
import { serve } from "@/lib/tools/test/test-server";
import { runStep, writerSteps } from "@/lib/tools/test/writers";

// The guarantee of synchronization: while several writers change data and several readers keep copies as
// documented, every copy finally equals the server's data.
//
// In a test everything happens within the five seconds that `updated_after` looks back, and any practice would pass. So
// the tests use up the look-back: a reader requests from five seconds after the time it would send, or after the start
// of the oldest write that was running when its last fetch started – the case that the five seconds are for.

const LOOKBACK_MS = 5_000;

let server: Awaited<ReturnType<typeof serve>>;
let origin: string;
beforeAll(async () => {
  server = await serve(routes);
  origin = `http://127.0.0.1:${server.port}`;
});
afterAll(() => server.close());

type TimeRange = { began: number; ended: number };

/** Start and end times of writes. */
class WriteLog {
  private readonly spans: TimeRange[] = [];

  async during<T>(work: () => Promise<T>): Promise<T> {
    const span = { began: Date.now(), ended: Number.POSITIVE_INFINITY };
    this.spans.push(span);
    try {
      return await work();
    } finally {
      span.ended = Date.now();
    }
  }

  /** Start of the oldest write that was running at some time in a range; infinite if there was none. */
  oldestDuring({ began, ended }: TimeRange): number {
    return Math.min(
      ...this.spans.filter((span) => span.began <= ended && span.ended >= began).map((span) => span.began),
    );
  }
}

const delayedFetch = (pause: number) => async (request: Request) => {
  await sleep(pause);
  return fetch(request);
};

/** A reader's pace: rows per page, and the pause before each page, so that reading a list may take seconds. */
type ReadSpeed = { limit: number; pause: number };

/**
 * An API client whose `updated_after` leaves only the look-back that its last fetch needs: for writes that were running
 * while its first page was read.
 */
function clientWithMinimalLookBack(shop: TestClient, writes: WriteLog, { pause }: ReadSpeed): CandorClient {
  const send = delayedFetch(pause);
  let last: TimeRange = { began: 0, ended: 0 };
  return createCandorClient({
    origin,
    key: shop.key,
    fetch: async (request) => {
      const url = new URL(request.url);
      if (url.searchParams.has("after")) return send(request);
      const named = url.searchParams.get("updated_after");
      if (named !== null) {
        const needed = Math.min(Date.parse(named), writes.oldestDuring(last));
        // Subtracts a millisecond because the clock counts whole ones.
        url.searchParams.set("updated_after", new Date(needed + LOOKBACK_MS - 1).toISOString());
      }
      await sleep(pause);
      const began = Date.now();
      const answer = await fetch(new Request(url, request));
      last = { began, ended: Date.now() };
      return answer;
    },
  });
}

type State = { id: string; updated_at: string };
type Copy = Map<string, State>;
/** Fetches repeatedly while others write, and once more when all writes have ended. */
type Reader = { name: string; fetch: (isFinal: boolean) => Promise<void>; copy: () => Copy };

type ContributionPath = "/v1/reviews" | "/v1/seller_reviews";

/** Continues from the start of its last fetch. */
function fetchStartReader(shop: TestClient, writes: WriteLog, path: ContributionPath, pace: ReadSpeed): Reader {
  const api = clientWithMinimalLookBack(shop, writes, pace);
  const copy: Copy = new Map();
  let last: Date | null = null;
  const fetch = async () => {
    const began = new Date();
    const filter = { limit: pace.limit, ...(last && { updated_after: last.toISOString() }) };
    for (const row of await fetchAllRows(shop, api, path, filter)) copy.set(row.id, row);
    last = began;
  };
  return { name: `${path} from the start of the last fetch`, fetch, copy: () => copy };
}

/** Continues from the latest `updated_at` that it has seen: the documentation's example, unchanged. */
function latestChangeReader(shop: TestClient, writes: WriteLog, pace: ReadSpeed): Reader {
  const api = clientWithMinimalLookBack(shop, writes, pace);
  let copy = emptyCopy;
  let fetches = 0;
  const fetch = async (isLastFetch: boolean) => {
    // Every second fetch pretends to be a week later and fetches everything; the last one doesn't.
    if (!isLastFetch) fetches += 1;
    const weeks = Math.ceil(fetches / 2) * 8 * 86_400_000;
    copy = await synchronize(api, copy, { limit: pace.limit }, new Date(Date.now() + weeks));
  };
  return { name: "/v1/reviews from the latest updated_at", fetch, copy: () => new Map(Object.entries(copy.reviews)) };
}

const later = (a: string, b: string) => (a > b ? a : b);

/** The same for seller reviews, which the example doesn't read. */
function latestChangeReaderOf(shop: TestClient, writes: WriteLog, path: ContributionPath, pace: ReadSpeed): Reader {
  const api = clientWithMinimalLookBack(shop, writes, pace);
  const copy: Copy = new Map();
  const fetch = async () => {
    const seen = [...copy.values()].map(({ updated_at }) => updated_at).reduce(later, "");
    const filter = { limit: pace.limit, ...(seen && { updated_after: seen }) };
    for (const row of await fetchAllRows(shop, api, path, filter)) copy.set(row.id, row);
  };
  return { name: `${path} from the latest updated_at`, fetch, copy: () => copy };
}

/** Fetches everything each time, as consumers do weekly, which shows deletions. */
function fullFetchReader(shop: TestClient, path: ContributionPath, { limit, pause }: ReadSpeed): Reader {
  const api = createCandorClient({ origin, key: shop.key, fetch: delayedFetch(pause) });
  let copy: Copy = new Map();
  const fetch = async () => {
    copy = new Map((await fetchAllRows(shop, api, path, { limit })).map((row) => [row.id, row]));
  };
  return { name: `${path} anew`, fetch, copy: () => copy };
}

/** The orders list has no change filter: fetches new orders by creation, and all orders regularly for the rest. */
function ordersReader(shop: TestClient, writes: WriteLog, { limit, pause }: ReadSpeed): Reader {
  const api = createCandorClient({ origin, key: shop.key, fetch: delayedFetch(pause) });
  const copy: Copy = new Map();
  let last = { began: 0, ended: 0 };
  let fetchCount = 0;
  const fetch = async () => {
    const began = Date.now();
    const since = new Date(Math.min(last.began, writes.oldestDuring(last))).toISOString();
    const filter = fetchCount++ % 2 === 0 ? { limit } : { limit, created_after: since };
    for (const row of await fetchAllRows(shop, api, "/v1/orders", filter)) copy.set(row.id, row);
    last = { began, ended: Date.now() };
  };
  return { name: "/v1/orders", fetch, copy: () => copy };
}

type List = ContributionPath | "/v1/orders";
type Filter = { limit: number; updated_after?: string; created_after?: string };
type RowTimes = Map<string, { created: number; updated: number }>;

/**
 * Reads a whole list. It must contain every row that existed throughout: by creation all of them, by change those that
 * didn't change meanwhile. No row may occur twice, except by change in a different state.
 */
async function fetchAllRows(shop: TestClient, api: CandorClient, path: List, filter: Filter): Promise<State[]> {
  const before = await rowTimesOf(shop, path);
  const rows: State[] = [];
  const seenRows = new Map<string, string>();
  for await (const row of iterateRows(api, path, filter)) {
    const state = JSON.stringify(row);
    if (seenRows.has(row.id) && (filter.updated_after === undefined || state === seenRows.get(row.id)))
      throw new Error(`${path} ${JSON.stringify(filter)} tells a row twice: ${seenRows.get(row.id)} and ${state}`);
    seenRows.set(row.id, state);
    rows.push(row);
  }
  const after = await rowTimesOf(shop, path);
  for (const [id, { created, updated }] of before) {
    const isUnchanged = after.has(id) && (filter.updated_after === undefined || after.get(id)?.updated === updated);
    const requestedSince =
      filter.updated_after === undefined
        ? created >= Date.parse(filter.created_after ?? "2000-01-01")
        : updated >= Date.parse(filter.updated_after);
    if (isUnchanged && requestedSince && !seenRows.has(id))
      throw new Error(`${path} ${JSON.stringify(filter)} skips ${id} of ${JSON.stringify({ created, updated })}`);
  }
  return rows;
}

async function rowTimesOf(shop: TestClient, path: List): Promise<RowTimes> {
  const rows = await rowsOf(`select id, created_at, updated_at from ${tableOf(path)} where client_id = $1`, [shop.id]);
  return new Map(rows.map((row) => [row.id, { created: row.created_at.getTime(), updated: row.updated_at.getTime() }]));
}
const tableOf = (path: List): string => path.slice("/v1/".length);

/** All rows on the server now. */
async function currentRows(shop: TestClient, path: List): Promise<Copy> {
  const rows = await fetchAllRows(shop, createCandorClient({ origin, key: shop.key }), path, { limit: 1_000 });
  expect(rows.map(({ id }) => id).sort()).toEqual([...(await rowTimesOf(shop, path)).keys()].sort());
  return new Map(rows.map((row) => [row.id, row]));
}

describe("copies of readers during writes", () => {
  it("finally equal the server's data, and summaries equal a recount", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(writerSteps, { minLength: 2, maxLength: 4 }),
        fc.record({ limit: fc.integer({ min: 1, max: 6 }), pause: fc.constantFrom(0, 20, 120) }),
        async (hands, pace) => {
          const shop = await aClient();
          await someProducts(
            shop.id,
            ["p0", "p1", "p2"].map((id) => ({ id, family_id: id === "p2" ? "f1" : "f0" })),
          );
          const at = new Date(Date.now() - 60_000);
          const old = Array.from({ length: 6 }, () => ({ created_at: at, updated_at: at }));
          await someReviews(shop.id, old);
          await someSellerReviews(shop.id, old);

          const writes = new WriteLog();
          const readers = [
            fetchStartReader(shop, writes, "/v1/reviews", pace),
            fetchStartReader(shop, writes, "/v1/seller_reviews", pace),
            latestChangeReader(shop, writes, pace),
            latestChangeReaderOf(shop, writes, "/v1/seller_reviews", pace),
            fullFetchReader(shop, "/v1/reviews", pace),
            ordersReader(shop, writes, pace),
          ];
          const api = createCandorClient({ origin, key: shop.key });
          let writing = true;
          const written = Promise.all(
            hands.map(async (steps, index) => {
              for (const step of steps) await writes.during(() => runStep(api, shop, `hand ${index}`, step));
            }),
          ).finally(() => {
            writing = false;
          });
          await Promise.all([
            written,
            ...readers.map(async ({ fetch }) => {
              while (writing) await fetch(false);
            }),
          ]);
          // One more fetch after all writes have ended.
          await Promise.all(readers.map(({ fetch }) => fetch(true)));
          await readers.at(-1)?.fetch(true); // every second fetch of orders reads all

          expect(await verifySummaries(shop.id)).toEqual([]);
          for (const { name, copy } of readers) {
            const held = await currentRows(shop, name.split(" ")[0] as List);
            const copied = copy();
            for (const [id, row] of held) expect({ name, row: copied.get(id) }).toEqual({ name, row });
            if (name.endsWith("anew")) expect([...copied.keys()].sort()).toEqual([...held.keys()].sort());
          }
        },
      ),
      { numRuns: Number(process.env.SYNC_RUNS ?? 15), endOnFailure: true },
    );
  }, 240_000);
});
