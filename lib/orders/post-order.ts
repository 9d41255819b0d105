import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { type OrderWrite, orderNames, orderParameters, orderWrites } from "@/lib/orders/order-writes";
import type { OrderInput } from "@/lib/orders/schema";
import { batch } from "@/lib/platform/db/batch";
import { isInEnclosingTransaction, writePool } from "@/lib/platform/db/pool";
import { statementName } from "@/lib/platform/db/statement-name";
import { AppError } from "@/lib/platform/errors";
import { type OrderRow, selectOrdersOf, selectWritten, type WrittenRow } from "./sql";

/**
 * Adds an order or updates the one with this id: items are added or updated, never removed; absent keys keep what is
 * stored. Two posts of one order at the same moment leave one row and both get it back. Answers the whole order as it
 * stands in the database afterwards, as JSON. Orders posted at the same moment are committed together.
 */
export async function postOrder(client: Pick<ClientRow, "id">, order: OrderInput): Promise<string> {
  const write: Write = { clientId: client.id, customer: order.customer, order };
  const [stored] = isInEnclosingTransaction() ? await store([write]) : [await batchedStore()(write)];
  if (!stored) throw new AppError("unavailable", { reason: "order_erased" });
  return stored.json;
}

type Write = OrderWrite & { order: OrderInput };

const batchedStore = () => batch<Write, OrderRow | undefined>("orders", store, { conflictKeys: orderNames });

const text = `with ${orderWrites("$1", "$2")} ${selectWritten}`;

/**
 * A new order is answered with what the statement wrote. One that was there may have other items, also of a post that
 * this one waited for: it is read anew. Undefined for one that was erased before it was read.
 */
async function store(writes: Write[]): Promise<(OrderRow | undefined)[]> {
  const { rows } = await writePool().query<WrittenRow>({
    name: statementName(text),
    text,
    values: orderParameters(writes),
  });
  const known = rows.filter(({ created }) => !created);
  const read = known.length === 0 ? [] : await selectOrdersOf(writePool(), known);
  const whole = new Map<string, OrderRow>();
  for (const row of [...rows.filter(({ created }) => created), ...read]) whole.set(keyOf(row), row);
  return writes.map(({ clientId, order }) => whole.get(keyOf({ client_id: clientId, id: order.id })));
}

const keyOf = (order: { client_id: string; id: string }): string => JSON.stringify([order.client_id, order.id]);
