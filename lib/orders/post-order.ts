import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { type OrderWrite, orderKeys, orderParameters, orderWrites } from "@/lib/orders/order-writes";
import type { OrderInput } from "@/lib/orders/schema";
import { batch } from "@/lib/platform/db/batch";
import { isInEnclosingTransaction, writePool } from "@/lib/platform/db/pool";
import { statementName } from "@/lib/platform/db/statement-name";
import { AppError } from "@/lib/platform/errors";
import { type OrderRow, selectOrdersOf, type WrittenRow, writtenOrdersSql } from "./sql";

/**
 * Creates or updates an order: items are added or updated, never removed; absent keys keep stored values. Two
 * concurrent posts of one order leave one row, and both return it. Returns the whole stored order as JSON. Concurrent
 * posts are committed together.
 */
export async function postOrder(client: Pick<ClientRow, "id">, order: OrderInput): Promise<string> {
  const write: Write = { clientId: client.id, customer: order.customer, order };
  const [stored] = isInEnclosingTransaction() ? await store([write]) : [await batchedStore()(write)];
  if (!stored) throw new AppError("unavailable", { reason: "order_erased" });
  return stored.json;
}

type Write = OrderWrite & { order: OrderInput };

const batchedStore = () => batch<Write, OrderRow | undefined>("orders", store, { conflictKeys: orderKeys });

const text = `with ${orderWrites("$1", "$2")} ${writtenOrdersSql}`;

/**
 * Returns new orders as the statement wrote them. Existing orders may have other items, also from a post this one
 * waited for, so they are read again. Undefined for an order erased before it was read.
 */
async function store(writes: Write[]): Promise<(OrderRow | undefined)[]> {
  const { rows } = await writePool().query<WrittenRow>({
    name: statementName(text),
    text,
    values: orderParameters(writes),
  });
  const known = rows.filter(({ created }) => !created);
  const read = known.length === 0 ? [] : await selectOrdersOf(writePool(), known);
  const orderByKey = new Map<string, OrderRow>();
  for (const row of [...rows.filter(({ created }) => created), ...read]) orderByKey.set(keyOf(row), row);
  return writes.map(({ clientId, order }) => orderByKey.get(keyOf({ client_id: clientId, id: order.id })));
}

const keyOf = (order: { client_id: string; id: string }): string => JSON.stringify([order.client_id, order.id]);
