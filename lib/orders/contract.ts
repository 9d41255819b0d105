import { z } from "zod";
import { Hold, HoldChange, HoldChanges, Order, OrderFilter, OrderId, OrderInput } from "@/lib/orders/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId, page, single } from "@/lib/platform/http/fields";

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
  description:
    "What is held back for longer already stays so. Answers what changed, and how it was before: the other way round, `holds` takes it back.",
  auth: "session",
  role: "moderator",
  params: OrderId,
  query: clientQuery,
  body: Hold,
  response: z.object({ data: z.array(HoldChange) }),
  keepsAnswer: "with_effect",
});

export const changeHoldsContract = endpoint({
  id: "portal.orders.holds",
  method: "PUT",
  path: "/portal/api/v1/orders/{id}/holds",
  tag: "Portal",
  summary: "Change how items of an order are held back, each by itself",
  description:
    "Each from one state to another, as an undo does. What is not as it was told to be was changed by somebody else, and stays. Answers what changed.",
  auth: "session",
  role: "moderator",
  params: OrderId,
  query: clientQuery,
  body: HoldChanges,
  response: z.object({ data: z.array(HoldChange) }),
  keepsAnswer: "with_effect",
});
