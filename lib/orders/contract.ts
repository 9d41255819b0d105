import { z } from "zod";
import { Hold, HoldChange, HoldChanges, Order, OrderFilter, OrderId, OrderInput } from "@/lib/orders/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId, page, single } from "@/lib/platform/http/fields";

const exampleOrder = {
  id: "100045",
  store_name: null,
  created_at: "2026-05-04T09:30:12Z",
  updated_at: "2026-05-04T09:30:12Z",
  customer: {
    id: "c-2071",
    name: "Ada Berg",
    email: "ada@example.org",
    phone: null,
    lang: "en",
    opt_out: false,
    created_at: "2026-05-04T09:30:12Z",
    updated_at: "2026-05-04T09:30:12Z",
  },
  items: [
    {
      id: "LAMP-OAK-S",
      family_id: "LAMP-OAK",
      name: "Oak table lamp, small",
      category: "Lighting > Table lamps",
      delivery_date: "2026-05-08",
      url: "https://shop.example.com/lamp-oak-s",
      image_url: "https://shop.example.com/lamp-oak-s.jpg",
      properties: {},
      deleted: false,
      reviewable: true,
      created_at: "2026-05-04T09:30:12Z",
      updated_at: "2026-05-04T09:30:12Z",
    },
  ],
};

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
  example: {
    query: "client_id=shop.example.com",
    body: {
      order: {
        id: "100045",
        customer: { id: "c-2071", name: "Ada Berg", email: "ada@example.org", lang: "en" },
        items: [{ id: "LAMP-OAK-S", delivery_date: "2026-05-08" }],
      },
    },
    answer: { data: [exampleOrder] },
  },
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
  example: {
    query: "client_id=shop.example.com&customer_email=ada%40example.org",
    answer: { data: [exampleOrder], links: {} },
  },
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
  example: { params: { id: "100045" }, query: "client_id=shop.example.com", answer: { data: exampleOrder } },
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
