import { randomBytes, randomInt } from "node:crypto";
import type { Actor } from "@/lib/accounts/actor";
import { recordAudit } from "@/lib/accounts/record-audit";
import { type ClientRow, isTestStore } from "@/lib/accounts/stores/get-client";
import { longTransaction } from "@/lib/platform/db/pool";
import { emailKey, personHash } from "@/lib/platform/secrets/person-hash";
import type { FillResult } from "@/lib/test-clock/schema";
import { notTestStore } from "@/lib/test-clock/show-clock";
import { type CopiedOrder, copyProducts, insertCopies, type MadeUpPerson, selectRecentOrders } from "./fill-sql";

const DAYS = 30;
const MAX_ORDERS = 2_000;

const firstNames = [
  "Ada",
  "Bo",
  "Clara",
  "David",
  "Elin",
  "Felix",
  "Greta",
  "Hugo",
  "Ida",
  "Jonas",
  "Klara",
  "Lars",
  "Mona",
  "Nils",
];
const lastNames = [
  "Ahl",
  "Berg",
  "Dahl",
  "Ek",
  "Falk",
  "Graf",
  "Holm",
  "Kern",
  "Lind",
  "Moser",
  "Nord",
  "Roth",
  "Stein",
  "Vogt",
];
const oneOf = (names: string[]): string => names[randomInt(names.length)] as string;

/**
 * Fills a test store with another store's orders of the last 30 days, with made-up people at example.com: nothing that could
 * be about a person is copied, such as ids, and names of items that aren't in the catalog. The caller checks that the actor
 * may read the other store. Throws `conflict` for a store that isn't a test store.
 */
export async function fillStore(
  actor: Pick<Actor, "kind" | "id">,
  client: ClientRow,
  from: Pick<ClientRow, "id">,
): Promise<FillResult> {
  if (!isTestStore(client)) throw notTestStore();
  return longTransaction(async (db) => {
    const found = await selectRecentOrders(db, from.id, DAYS, MAX_ORDERS);
    const catalog = new Set(found.flatMap(({ items }) => items.flatMap(({ id, known }) => (known ? [id] : []))));
    const products = await copyProducts(db, from.id, client.id, [...catalog]);
    // Ids that no earlier filling has.
    const run = randomBytes(4).toString("hex");
    const people = new Map<string, MadeUpPerson>();
    const unknown = new Map<string, string>();
    const orders = found.map((order, index): CopiedOrder => {
      const person = people.get(order.customer_id) ?? madeUpPerson(client.id, run, people.size + 1, order);
      people.set(order.customer_id, person);
      const items = order.items.map(({ known, ...item }) => {
        if (known) return { ...item, name: null };
        const number = unknown.get(item.id) ?? String(unknown.size + 1);
        unknown.set(item.id, number);
        return { ...item, id: `item-${run}-${number}`, name: item.reviewable ? `Product ${number}` : null };
      });
      const { created_at, value } = order;
      return { id: `order-${run}-${index + 1}`, customer_id: person.id, created_at, value, items };
    });
    await insertCopies(db, client.id, [...people.values()], orders);
    await recordAudit(db, {
      clientId: client.id,
      actor,
      action: "test_store.filled",
      subject: client.id,
      detail: { clients: [from.id] },
    });
    return { products, people: people.size, orders: orders.length };
  });
}

function madeUpPerson(
  clientId: string,
  run: string,
  number: number,
  { lang, opted_out }: { lang: string | null; opted_out: boolean },
): MadeUpPerson {
  const [first, last] = [oneOf(firstNames), oneOf(lastNames)];
  const id = `person-${run}-${number}`;
  const email = `${first}.${last}.${run}.${number}@example.com`.toLowerCase();
  return {
    id,
    name: `${first} ${last}`,
    email,
    email_key: emailKey(email),
    id_hash: personHash(clientId, "customer", id),
    email_hash: personHash(clientId, "email", email),
    lang,
    opted_out,
  };
}
