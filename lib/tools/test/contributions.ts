import { beforeAll, describe, expect, it } from "vitest";
import * as orders from "@/app/v1/orders/route";
import type { Methods } from "@/lib/api/methods";
import type { ContributionTable } from "@/lib/reviews/contributions/schema";
import { call, pathOf, readAll } from "@/lib/tools/test/call";
import { aClient, anOrder, aUser, type TestClient } from "@/lib/tools/test/factories";
import { expectCursorRejected, expectIssues, expectList } from "@/lib/tools/test/lists";

type Row = { id: string; updated_at: string };
type Columns = Record<string, unknown> & { created_at?: Date; updated_at?: Date; accepted?: boolean | null };
type Make = (clientId: string, rows: Columns[]) => Promise<string[]>;

const noon = new Date("2026-03-01T12:00:00.500Z");
const later = new Date("2026-03-02T12:00:00Z");
const states = { pending: null, accepted: true, rejected: false };

/**
 * Contract tests of the lists of reviews, seller reviews and questions: order, time filters, errors, what viewers see,
 * and the guarantees of decision 4 for synchronization. `make` adds rows and returns their ids; `change` changes one
 * visibly, differently for each `turn`.
 */
export function describeContributionList(
  table: ContributionTable,
  module: Partial<Methods>,
  make: Make,
  change: (client: TestClient, id: string, turn: number) => Promise<unknown>,
): void {
  const path = `/v1/${table}`;
  describe(`GET ${path}`, () => {
    describeOrder(table, module, path, make);
    describeSynchronization(module, path, make, change);
  });
}

function describeOrder(table: ContributionTable, module: Partial<Methods>, path: string, make: Make): void {
  let shop: TestClient;
  // Increasing ids, so that rows of the same time have a known order. The last three were created later and changed
  // earlier.
  const ids = Array.from({ length: 9 }, (_, index) => `00000000000000${index.toString(16).padStart(2, "0")}`);
  const [early, late] = [ids.slice(0, 6), ids.slice(6)];
  const changed = [...late, ...early];
  beforeAll(async () => {
    shop = await aClient();
    const row = (id: string, index: number) => ({
      id,
      accepted: Object.values(states)[index % 3],
      created_at: early.includes(id) ? noon : later,
      updated_at: early.includes(id) ? later : noon,
      customer_id: "buyer-77",
      author_email: "ada@example.org",
    });
    await make(shop.id, ids.map(row));
    await make((await aClient()).id, [row("ffffffffffffffff", 0)]);
  });
  const listed = async (query: string): Promise<string[]> =>
    (await readAll(module, `${path}?${query}`, { key: shop.key })).map(({ id }) => id);

  it("lists by creation, ties by id, published or not", () => expectList(module, path, shop.key, ids));

  it("lists by change with updated_after and with its alias", async () => {
    await expectList(module, `${path}?updated_after=2026-01-01`, shop.key, changed);
    await expectList(module, `${path}?update_after=2026-01-01T00:00:00Z`, shop.key, changed);
    expect(await listed("updated_after=2026-03-02&update_after=2026-01-01")).toEqual(early);
  });

  it("lists what was created then or later, in both orders", async () => {
    await expectList(module, `${path}?created_after=2026-03-02`, shop.key, late);
    await expectList(module, `${path}?created_after=2026-03-02&updated_after=2026-01-01`, shop.key, late);
    expect(await listed("created_after=2026-03-01T12:00:00Z&updated_after=2026-03-02")).toEqual(early);
  });

  it("treats both times as inclusive", async () => {
    expect(await listed("created_after=2026-03-01T12:00:00Z")).toEqual(ids);
    expect(await listed("created_after=2026-03-01T12:00:01Z")).toEqual(late);
    expect(await listed("created_after=2026-03-02T12:00:00Z")).toEqual(late);
    expect(await listed("created_after=2026-03-02T12:00:01Z")).toEqual([]);
    expect(await listed("updated_after=2026-03-02T12:00:00Z")).toEqual(early);
  });

  it("looks five seconds back from updated_after, and no further", async () => {
    const own = await aClient();
    const [justOut, ...within] = await make(
      own.id,
      [-5_001, -5_000, -1_000, 0].map((ms) => ({ updated_at: new Date(later.getTime() + ms) })),
    );
    const seen = await readAll(module, `${path}?limit=1&updated_after=2026-03-02T12:00:00Z`, { key: own.key });
    expect(seen.map(({ id }) => id)).toEqual(within);
    expect(within).not.toContain(justOut);
  });

  if (table !== "seller_reviews")
    it.each(Object.keys(states))("lists the %s ones, in both orders", async (state) => {
      const inState = (id: string) => ids.indexOf(id) % 3 === Object.keys(states).indexOf(state);
      const query = `moderation_status=${state}`;
      await expectList(module, `${path}?${query}`, shop.key, ids.filter(inState));
      await expectList(module, `${path}?${query}&updated_after=2026-01-01`, shop.key, changed.filter(inState));
      expect(await listed(`${query}&created_after=2026-03-02`)).toEqual(late.filter(inState));
      expect(await listed(`${query}&created_after=2026-03-02&updated_after=2026-01-01`)).toEqual(late.filter(inState));
    });

  it("reports every invalid parameter in one response", async () => {
    const wrong = ["limit=0", "updated_after=x", "update_after=", "created_after=2026-02-30"];
    if (table !== "seller_reviews") wrong.push("moderation_status=maybe");
    const answer = await call(module, "GET", `${path}?${wrong.join("&")}`, { key: shop.key });
    expectIssues(
      answer,
      400,
      wrong.map((parameter) => `${parameter.split("=")[0]} invalid_parameter`),
    );
  });

  it("rejects the cursors of other lists, and of its own other order", async () => {
    await anOrder(shop.id);
    await anOrder(shop.id);
    const changes = `${path}?updated_after=2026-01-01`;
    await expectCursorRejected(module, path, orders, "/v1/orders", shop.key);
    await expectCursorRejected(module, path, module, changes, shop.key);
    await expectCursorRejected(module, changes, module, path, shop.key);
  });

  it("does not let a cursor reach another client", async () => {
    const page = await call(module, "GET", `${path}?limit=1`, { key: shop.key });
    const after = new URL(page.json.links.next).searchParams.get("after");
    const { key } = await aClient();
    expect((await call(module, "GET", `${path}?after=${after}`, { key })).json).toEqual({ data: [], links: {} });
  });

  it("hides people from viewers", async () => {
    const seen = async (role: "viewer" | "moderator") =>
      call(module, "GET", path, { basic: (await aUser(role, { clients: [shop.id] })).basic });
    const [viewer, moderator] = [await seen("viewer"), await seen("moderator")];
    expect(moderator.text).toContain("ada@example.org");
    expect(viewer.text).not.toMatch(/ada@example\.org|buyer-77/);
    const hidden = (row: object) => ({
      ...row,
      author_email: null,
      ...("customer_id" in row ? { customer_id: null } : {}),
    });
    expect(viewer.json.data).toEqual(moderator.json.data.map(hidden));
  });
}

/**
 * A pass over the list ends and skips no row that remains. Either documented way to continue ends with every row in its
 * last state.
 */
function describeSynchronization(
  module: Partial<Methods>,
  path: string,
  make: Make,
  change: (client: TestClient, id: string, turn: number) => Promise<unknown>,
): void {
  const many = (count: number): Columns[] => Array.from({ length: count }, () => ({}));
  const byId = (one: Row, other: Row) => (one.id < other.id ? -1 : 1);

  describe("synchronization", () => {
    it.each([`${path}?limit=3`, `${path}?limit=3&updated_after=2026-01-01`])(
      "%s ends under continuous writes and skips no row that remains",
      async (address) => {
        const busy = await aClient();
        const existingIds = (await make(busy.id, many(30))).sort();
        const seen = await readAll(module, address, { key: busy.key }, () => make(busy.id, many(4)));
        expect(seen.length).toBeLessThan(40);
        const ids = seen.map(({ id }) => id);
        expect(ids.filter((id) => existingIds.includes(id)).sort()).toEqual(existingIds);
      },
    );

    it("returns no change later than the start of the pass, so that continuing from the latest one seen loses nothing", async () => {
      const busy = await aClient();
      const [first = "", ...rest] = await make(
        busy.id,
        Array.from({ length: 4 }, (_, index) => ({ created_at: new Date(noon.getTime() + index), updated_at: noon })),
      );
      const page = await call(module, "GET", `${path}?limit=1`, { key: busy.key });
      const after = new URL(page.json.links.next).searchParams.get("after") as string;
      const began = JSON.parse(Buffer.from(after, "base64url").toString())[1] as string;
      // Times are printed in whole seconds: wait until a change gets a later one than the start.
      await new Promise((resolve) => setTimeout(resolve, 1_050));
      for (const id of [first, ...rest]) await change(busy, id, 0);
      const pages = await readAll(module, pathOf(page.json.links.next), { key: busy.key });
      expect(pages.map(({ id }) => id)).toEqual(rest);
      const now = new Map<string, Row>(
        (await readAll(module, path, { key: busy.key })).map((row: Row) => [row.id, row]),
      );
      for (const row of pages as Row[]) {
        const current = now.get(row.id) as Row;
        expect(Date.parse(row.updated_at)).toBeLessThanOrEqual(Date.parse(began));
        expect({ ...row, updated_at: "" }).toEqual({ ...current, updated_at: "" });
        expect(current.updated_at > row.updated_at).toBe(true);
      }
    });

    it.each(["start of the last fetch", "latest updated_at seen"])(
      "ends with every row in its last state, continuing from the %s",
      async (strategy) => {
        const busy = await aClient();
        const copy = new Map<string, Row>();
        let known = await make(busy.id, many(12));
        let writing = true;
        const write = async () => {
          for (let turn = 0; writing; turn += 1) {
            if (turn % 3 === 0) known = [...known, ...(await make(busy.id, [{}]))];
            await change(busy, known[(turn * 7) % known.length] as string, turn);
          }
        };
        const writers = [write(), write(), write()];
        const second = (date: Date) => `${date.toISOString().slice(0, 19)}Z`;
        let from: string | undefined;
        for (let round = 0; round < 6; round += 1) {
          if (round === 5) {
            writing = false;
            await Promise.all(writers);
          }
          const started = second(new Date());
          const rows: Row[] = await readAll(module, `${path}?limit=5${from ? `&updated_after=${from}` : ""}`, {
            key: busy.key,
          });
          for (const row of rows) copy.set(row.id, row);
          from = strategy.startsWith("start")
            ? started
            : rows
                .map((row) => row.updated_at)
                .sort()
                .at(-1);
        }
        const currentRows: Row[] = await readAll(module, `${path}?limit=1000`, { key: busy.key });
        expect([...copy.values()].sort(byId)).toEqual(currentRows.sort(byId));
      },
    );
  });
}
