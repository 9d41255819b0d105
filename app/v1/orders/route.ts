import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { listOrdersContract, postOrderContract } from "@/lib/orders/contract";
import { listOrders } from "@/lib/orders/list-orders";
import { withLocalDeliveryDay } from "@/lib/orders/local-delivery-day";
import { postOrder } from "@/lib/orders/post-order";
import { RawJson } from "@/lib/platform/http/reply";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listOrdersContract, ({ actor, client, query, url }) => listOrders(actor, client, query, url)),
  route(postOrderContract, async ({ client, body: { order } }) => {
    const items = order.items.map((item) => withLocalDeliveryDay(client, item));
    return new RawJson(`{"data":[${await postOrder(client, { ...order, items })}]}`);
  }),
);
