import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { systemActor } from "@/lib/auth/actor";
import { syncCommerce } from "@/lib/commerce/sync-commerce";
import { syncShare } from "@/lib/data-share/sync-share";
import { pool } from "@/lib/db/pool";
import { CommerceDouble, commerceKeys } from "@/lib/doubles/commerce";
import { anOrder } from "@/lib/doubles/commerce-orders";
import { ShareDouble } from "@/lib/doubles/share";
import { aContact, anItem, aReceipt, tenantTables } from "@/lib/doubles/share-tenant";
import { AppError } from "@/lib/errors";
import { setFromText } from "@/lib/integrations/set-from-text";
import { deletePersonalData } from "@/lib/personal-data/delete-personal-data";
import type { Person } from "@/lib/personal-data/person";
import { until } from "@/lib/test/engines";
import { aClient } from "@/lib/test/factories";
import { findEverywhere } from "@/lib/test/search";

// Somebody is erased while what another system told of them is being stored: two at once, the one stopped at a place that
// is known until the other is over, or waits for it.

process.env.ALLOW_PRIVATE_URLS = "true";

const LOCK = 4_711;
const doubles: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  await pool().query("drop function if exists stop_here cascade");
  for (const double of doubles.splice(0)) await double.close();
});

const waiting = async (): Promise<number> => {
  const { rows } = await pool().query(
    "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0].n;
};

/** Runs `work` until it would write such a row, then `meanwhile` to its end or until it waits for `work`, then both. */
async function stopped(
  [table, when]: [table: string, when: string],
  work: () => Promise<unknown>,
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  const holder = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await holder.connect();
  try {
    await holder.query("select pg_advisory_lock($1)", [LOCK]);
    await holder.query(`
      create function stop_here() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock_shared(${LOCK}); return new; end $$;
      create trigger stop_here before insert on ${table} for each row when (${when}) execute function stop_here()`);
    // Where it was stopped for too long it is undone, as any write is, and done again below.
    const first = work().catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === "unavailable")) throw error;
    });
    await until(async () => (await waiting()) === 1);
    let isOver = false;
    const second = meanwhile().finally(() => {
      isOver = true;
    });
    await until(async () => isOver || (await waiting()) === 2);
    await holder.query("select pg_advisory_unlock($1)", [LOCK]);
    await Promise.all([first, second]);
  } finally {
    await holder.end();
    await pool().query("drop function if exists stop_here cascade");
  }
}

const erase = async (clientId: string, person: Person): Promise<void> => {
  for (let call = 0; call < 50; call += 1)
    if ((await deletePersonalData(systemActor, { id: clientId }, person)) === "deleted") return;
  throw new Error("The erasure does not end.");
};

async function whole(part: () => Promise<{ again: number | null; error: string | null }>): Promise<void> {
  for (let parts = 0; parts < 50; parts += 1) {
    const { again, error } = await part();
    expect(error).toBeNull();
    if (again === null) return;
  }
  throw new Error("It does not end.");
}

const found = async (words: string[]) => Object.values(await findEverywhere(words)).flat();

describe("a shop's orders", () => {
  const mary = { customer_id: 14, customer_email: "mary@meanwhile.example" };
  async function aShop(orders: ReturnType<typeof anOrder>[]) {
    const double = new CommerceDouble({ orders });
    doubles.push(double);
    const address = await double.listen();
    const { id } = await aClient();
    await setFromText(systemActor, { id }, "commerce", [`orders_url=${address}`, "auth=oauth1"], commerceKeys);
    const sync = () => whole(() => syncCommerce(id, { waits: [5, 5], timeout: 10_000, budget: 60_000 }));
    return { id, double, sync };
  }

  it.each([
    { by: "customer", id: "14" },
    { by: "email", email: mary.customer_email },
  ] as const)(
    "that were taken before stay away when they are told again ($by)",
    { timeout: 60_000 },
    async (person) => {
      const order = anOrder({ increment_id: "mary-1", ...mary });
      const { id, sync } = await aShop([order]);
      await sync();
      order.items[0]!.qty_refunded = 1;
      Object.assign(order, { updated_at: "2026-03-02 00:00:00" });
      await stopped(["deliveries", "new.kind = 'order' and new.outcome = 'pending'"], sync, () => erase(id, person));
      await sync();
      expect(await found(["mary-1", mary.customer_email])).toEqual([]);
    },
  );

  it("of which some are stored by then stay away with the others", { timeout: 60_000 }, async () => {
    const orders = [1, 2, 3].map((n) => anOrder({ increment_id: `mary-${n}`, ...mary }));
    const other = anOrder({ increment_id: "grace-1", customer_id: 15, customer_email: "grace@meanwhile.example" });
    const { id, sync } = await aShop([...orders, other]);
    await stopped(["orders", "new.id = 'mary-1'"], sync, () => erase(id, { by: "customer", id: "14" }));
    for (const order of orders) Object.assign(order, { updated_at: "2026-03-02 00:00:00" });
    await sync();
    expect(await found(["mary-1", "mary-2", "mary-3", mary.customer_email])).toEqual([]);
    expect((await pool().query("select id from orders where client_id = $1", [id])).rows).toEqual([{ id: "grace-1" }]);
  });

  it("of somebody known by what the shop itself posted stay away while they are on their way", {
    timeout: 60_000,
  }, async () => {
    const { id, sync } = await aShop([anOrder({ increment_id: "mary-1", ...mary })]);
    await stopped(["orders", "new.id = 'mary-1'"], sync, () => erase(id, { by: "email", email: mary.customer_email }));
    await sync();
    expect(await found(["mary-1", mary.customer_email])).toEqual([]);
  });
});

describe("a data share's rows", () => {
  const contactId = "contact-ada";
  const ada = { contactId, memberNumber: "member-ada", email: "ada@meanwhile.example" };
  const words = [contactId, "member-ada", "ada@meanwhile.example", "bought-1", "bought-2"];
  const bought = { contactId, receiptId: "bought-1" };
  const again = { contactId, receiptId: "bought-2" };
  async function aShare() {
    const tables = tenantTables();
    const double = new ShareDouble(Object.values(tables), { rate: 1_000 });
    doubles.push(double);
    const profile = await double.listen();
    const { id } = await aClient();
    const set = (...settings: string[]) => setFromText(systemActor, { id }, "share", settings, { profile });
    await set("customer_id=member_number");
    const sync = () => whole(() => syncShare(id, { perSecond: 1_000, waits: [5, 5], timeout: 10_000, budget: 60_000 }));
    tables.contactslatest.append([aContact(ada)]);
    tables.receiptslatest.append([aReceipt(bought)]);
    tables.receiptitemslatest.append([anItem(bought)]);
    return { id, tables, sync, set };
  }

  it.each([
    ["contacts", "new.part = 'contacts'"],
    ["receipts", "new.part = 'receipts'"],
    ["items", "new.part = 'items'"],
  ])("do not come back by those in memory: %s", { timeout: 60_000 }, async (_, when) => {
    const { id, tables, sync, set } = await aShare();
    await sync();
    const newer = { import_date_time: "2026-05-01T00:00:00Z" };
    tables.contactslatest.append([aContact({ ...ada, firstName: "Augusta", ...newer })]);
    tables.receiptslatest.append([aReceipt({ ...bought, ...newer }), aReceipt({ ...again, ...newer })]);
    tables.receiptitemslatest.append([anItem({ ...bought, quantity: 2, ...newer }), anItem({ ...again, ...newer })]);
    await stopped(["share_rows", when], sync, () => erase(id, { by: "customer", id: "member-ada" }));
    await sync();
    expect(await found(words)).toEqual([]);
    await set("since=2020-01-01"); // everything is read anew
    await sync();
    expect(await found(words)).toEqual([]);
  });

  it.each([
    ["when they are noted", "deliveries", "new.kind = 'order' and new.outcome = 'pending'"],
    ["when they are stored", "orders", "true"],
  ])("do not come back by orders that are made of them: %s", { timeout: 60_000 }, async (_, table, when) => {
    const { id, sync } = await aShare();
    await stopped([table, when], sync, () => erase(id, { by: "email", email: ada.email }));
    await sync();
    expect(await found(words)).toEqual([]);
  });
});
