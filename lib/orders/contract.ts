import { z } from "zod";
import { endpoint } from "@/lib/http/contract";
import { clientId, page, single } from "@/lib/http/fields";
import { Hold, Order, OrderFilter, OrderId, OrderInput } from "@/lib/orders/schema";

const clientQuery = z.object({ client_id: clientId });

export const postOrderContract = endpoint({
  id: "orders.post",
  method: "POST",
  path: "/v1/orders",
  tag: "Orders",
  summary: "Add or update an order",
  description:
    "Creates the order, or adds and updates items of a known one; items are never removed. To cancel an item, post it with `reviewable: false`; `true` takes it back. An unknown SKU is stored, and reviewable only when the request says so or names it.",
  auth: "management",
  query: clientQuery,
  body: OrderInput,
  response: z.object({ data: z.array(Order).length(1) }),
});

export const listOrdersContract = endpoint({
  id: "orders.list",
  method: "GET",
  path: "/v1/orders",
  tag: "Orders",
  summary: "List orders, oldest first",
  auth: "management",
  query: OrderFilter,
  response: page(Order),
});

export const getOrderContract = endpoint({
  id: "orders.get",
  method: "GET",
  path: "/v1/orders/{id}",
  tag: "Orders",
  summary: "One order",
  description: "The order id is URL-encoded in the address.",
  auth: "management",
  params: OrderId,
  query: clientQuery,
  response: single(Order),
});

export const holdItemsContract = endpoint({
  id: "portal.orders.hold",
  method: "PUT",
  path: "/portal/api/v1/orders/{id}/hold",
  tag: "Portal",
  summary: "Hold items of an order back, until a day or for good, or let them go",
  auth: "session",
  role: "moderator",
  params: OrderId,
  query: clientQuery,
  body: Hold,
  status: 204,
});
