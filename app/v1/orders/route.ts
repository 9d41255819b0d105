import { methods } from "@/lib/http/methods";
import { RawJson } from "@/lib/http/reply";
import { route } from "@/lib/http/route";
import { listOrdersContract, postOrderContract } from "@/lib/orders/contract";
import { inDaysOf } from "@/lib/orders/in-days-of";
import { listOrders } from "@/lib/orders/list-orders";
import { postOrder } from "@/lib/orders/post-order";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listOrdersContract, ({ actor, client, query, url }) => listOrders(actor, client, query, url)),
  route(postOrderContract, async ({ client, body: { order } }) => {
    const items = order.items.map((item) => inDaysOf(client, item));
    return new RawJson(`{"data":[${await postOrder(client, { ...order, items })}]}`);
  }),
);
