import { expect, it } from "vitest";
import { getDatabaseTime } from "@/lib/orders/erased-hashes";
import { pool } from "@/lib/platform/db/pool";
import { eraseCompletely, pauseAtInsert } from "@/lib/tools/test/erase";
import { aClient, anOrder, rowsOf } from "@/lib/tools/test/factories";
import { importRows } from "./import-rows";
import { purgeDisconnectedShares } from "./purge-disconnected";
import type { ParquetRow } from "./read-parquet";
import { ShareSettings } from "./settings";
import type { PartName } from "./share-tables";

// Rejected rows are recorded by their ids. After an erasure, nothing of them may be left or recorded later.

const settings = ShareSettings.parse({});
const take = (clientId: string, row: object, read: Date) =>
  importRows({ clientId, settings, counts: {} }, "contacts", [{ row: { ...row }, place: "row 1" }], read);
const broken = (id: string) => ({ id, imported_at: "no time" });
const refused = async (clientId: string) =>
  (await rowsOf("select subject from deliveries where client_id = $1 order by subject", [clientId])).map(
    ({ subject }) => subject,
  );

it("an erasure waits for a rejected contact to be recorded and deletes the record", async () => {
  const { id } = await aClient();
  await take(id, { id: "c-1", email: "ada@example.org" }, await getDatabaseTime(pool()));
  const read = await getDatabaseTime(pool());
  await pauseAtInsert(
    ["deliveries", "new.kind = 'contact_refused'"],
    () => take(id, broken("c-1"), read),
    () => eraseCompletely(id, { by: "email", email: "ada@example.org" }),
  );
  expect(await refused(id)).toEqual([]);
  // A later row doesn't record it either.
  await take(id, broken("c-1"), await getDatabaseTime(pool()));
  await take(id, broken("c-2"), await getDatabaseTime(pool()));
  expect(await refused(id)).toEqual(["c-2"]);
});

it("a rejection isn't recorded for a customer erased since the row was read", async () => {
  const { id } = await aClient();
  await anOrder(id, { customer: { id: "c-3", name: "Bo", email: "bo@example.org" } });
  const before = await getDatabaseTime(pool());
  await eraseCompletely(id, { by: "customer", id: "c-3" });
  await take(id, broken("c-3"), before);
  expect(await refused(id)).toEqual([]);
  await take(id, broken("c-3"), await getDatabaseTime(pool()));
  expect(await refused(id)).toEqual(["c-3"]);
});

const byMember = ShareSettings.parse({ customer_id: "member_number" });
/** Imports rows of a part that are read now, with `member_number` as customer id. */
const importAs = async (clientId: string, part: PartName, ...rows: ParquetRow[]) =>
  importRows(
    { clientId, settings: byMember, counts: {} },
    part,
    rows.map((row, at) => ({ row, place: `row ${at + 1} of file x` })),
    await getDatabaseTime(pool()),
  );
const none = { imported_at: "no time" };

/** Two people, all of whose rows were rejected. */
async function twoRefused() {
  const { id } = await aClient();
  for (const [who, email] of [
    ["ada", "ada@example.org"],
    ["bo", "bo@example.org"],
  ] as const) {
    await importAs(id, "contacts", { id: `c-${who}`, member_number: `m-${who}`, email, ...none }, { email, ...none });
    await importAs(id, "receipts", { id: `r-${who}`, contact: `c-${who}`, ...none });
    await importAs(
      id,
      "items",
      { id: `i-${who}`, receipt: `r-${who}`, sku: "lamp", ...none },
      { id: `j-${who}`, receipt: "r-x", contact: `c-${who}`, sku: "lamp", ...none },
    );
  }
  return id;
}

it.each([
  { by: "customer", id: "m-ada" },
  { by: "email", email: "ada@example.org" },
] as const)("an erasure finds rejected rows of a person without other data ($by)", async (person) => {
  const id = await twoRefused();
  expect(await refused(id)).toEqual(
    expect.arrayContaining(["c-ada", "r-ada", "i-ada", "j-ada", "c-bo", "r-bo", "i-bo", "j-bo"]),
  );
  await eraseCompletely(id, person);
  const left = ["c-bo", "i-bo", "j-bo", "r-bo"];
  expect((await refused(id)).filter((subject) => !subject.startsWith("row "))).toEqual(left);
  // Nothing of the person is imported again, whether it's valid by now or not.
  await importAs(id, "contacts", { id: "c-ada", member_number: "m-ada", email: "ada@example.org" });
  await importAs(id, "receipts", { id: "r-ada", contact: "c-ada" }, { id: "r-ada-2", contact: "c-ada", ...none });
  await importAs(id, "items", { id: "i-ada", receipt: "r-ada", sku: "lamp" });
  await importAs(id, "items", { id: "j-ada", receipt: "r-ada", sku: "lamp", ...none });
  expect((await refused(id)).filter((subject) => !subject.startsWith("row "))).toEqual(left);
  expect(await rowsOf("select id from share_rows where client_id = $1", [id])).toEqual([]);
});

it("an erasure finds a row without an id by its email, and rejected purchases of a contact", async () => {
  const { id } = await aClient();
  await importAs(id, "contacts", { email: "Ada@example.org ", ...none });
  await eraseCompletely(id, { by: "email", email: "ada@example.org" });
  expect(await refused(id)).toEqual([]);
  await importAs(id, "contacts", { id: "c-1", member_number: "m-1", ...none });
  await importAs(id, "receipts", { id: "r-1", contact: "c-1" });
  await importAs(id, "items", { id: "i-1", receipt: "r-1", sku: "lamp" }, { id: "i-2", receipt: "r-1", sku: "" });
  await eraseCompletely(id, { by: "customer", id: "m-1" });
  expect(await refused(id)).toEqual([]);
  expect(await rowsOf("select id from share_rows where client_id = $1", [id])).toEqual([]);
});

it("an erasure finds a rejected receipt if the contact id is the customer id", async () => {
  const { id } = await aClient();
  const read = await getDatabaseTime(pool());
  const broken = [{ row: { id: "r-1", contact: "c-1", ...none }, place: "row 1" }];
  await importRows({ clientId: id, settings, counts: {} }, "receipts", broken, read);
  await eraseCompletely(id, { by: "customer", id: "c-1" });
  expect(await refused(id)).toEqual([]);
  await importAs(id, "receipts", { id: "r-2", contact: "c-1" });
  expect(await rowsOf("select id from share_rows where client_id = $1", [id])).toEqual([]);
});

it("an erasure waits for a contact that is imported later and deletes it", async () => {
  const { id } = await aClient();
  await take(id, { ...broken("c-1"), email: "ada@example.org" }, await getDatabaseTime(pool()));
  const read = await getDatabaseTime(pool());
  await pauseAtInsert(
    ["share_rows", "new.id = 'c-1'"],
    () => take(id, { id: "c-1", email: "ada@example.org" }, read),
    () => eraseCompletely(id, { by: "email", email: "ada@example.org" }),
  );
  expect(await refused(id)).toEqual([]);
  expect(await rowsOf("select id from share_rows where client_id = $1", [id])).toEqual([]);
});

it("an erasure deletes lines that only refer to a rejected receipt of the person", async () => {
  const { id } = await aClient();
  await importAs(id, "contacts", { id: "c-1", member_number: "m-1" });
  await importAs(id, "receipts", { id: "r-1", contact: "c-1", ...none }, { id: "r-2", contact: "c-2", ...none });
  await importAs(id, "items", { id: "i-1", receipt: "r-1", sku: "lamp" }, { id: "i-2", receipt: "r-2", sku: "lamp" });
  await importAs(id, "items", { id: "i-3", receipt: "r-1", contact: "c-2", sku: "lamp" });
  await eraseCompletely(id, { by: "customer", id: "m-1" });
  expect(await rowsOf("select id from share_rows where client_id = $1 order by id", [id])).toEqual([
    { id: "i-2" },
    { id: "i-3" },
  ]);
});

it("records of rejected rows of a disconnected share without rows are deleted", async () => {
  const id = await twoRefused();
  while ((await purgeDisconnectedShares()) > 0);
  expect(await refused(id)).toEqual([]);
});

it("records of rejected rows are deleted with the rows of a disconnected share", async () => {
  const id = await twoRefused();
  await importAs(id, "stores", { id: "s-1" });
  while ((await purgeDisconnectedShares()) > 0);
  expect(await refused(id)).toEqual([]);
});
