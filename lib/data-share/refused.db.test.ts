import { expect, it } from "vitest";
import { pool } from "@/lib/db/pool";
import { readBy } from "@/lib/personal-data/erased";
import { erase, stopped } from "@/lib/test/erase";
import { aClient, anOrder, rowsOf } from "@/lib/test/factories";
import { ShareSettings } from "./settings";
import { takeRows } from "./take-rows";

// Contacts that cannot be taken are noted by their ids. Nothing of that is left of who is erased meanwhile.

const settings = ShareSettings.parse({});
const take = (clientId: string, row: object, read: Date) =>
  takeRows({ clientId, settings, counts: {} }, "contacts", [{ row: { ...row }, place: "row 1" }], read);
const broken = (id: string) => ({ id, imported_at: "no time" });
const refused = async (clientId: string) =>
  (await rowsOf("select subject from deliveries where client_id = $1 order by subject", [clientId])).map(
    ({ subject }) => subject,
  );

it("an erasure waits for the note that a contact could not be taken, and takes it along", async () => {
  const { id } = await aClient();
  await take(id, { id: "c-1", email: "ada@example.org" }, await readBy(pool()));
  const read = await readBy(pool());
  await stopped(
    ["deliveries", "new.kind = 'contact_refused'"],
    () => take(id, broken("c-1"), read),
    () => erase(id, { by: "email", email: "ada@example.org" }),
  );
  expect(await refused(id)).toEqual([]);
  // Nor is it noted by what comes after it.
  await take(id, broken("c-1"), await readBy(pool()));
  await take(id, broken("c-2"), await readBy(pool()));
  expect(await refused(id)).toEqual(["c-2"]);
});

it("of a customer who was erased since the row was read it is not noted, also where nothing else told of the contact", async () => {
  const { id } = await aClient();
  await anOrder(id, { customer: { id: "c-3", name: "Bo", email: "bo@example.org" } });
  const before = await readBy(pool());
  await erase(id, { by: "customer", id: "c-3" });
  await take(id, broken("c-3"), before);
  expect(await refused(id)).toEqual([]);
  await take(id, broken("c-3"), await readBy(pool()));
  expect(await refused(id)).toEqual(["c-3"]);
});
