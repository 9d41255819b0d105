import { z } from "zod";
import {
  Exclusion,
  ExclusionChange,
  ExclusionChanges,
  Hold,
  HoldChange,
  HoldChanges,
  Order,
  OrderFilter,
  OrderId,
  OrderInput,
} from "@/lib/orders/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId, page, single } from "@/lib/platform/http/fields";

const exampleOrder = {
  id: "100045",
  store_name: null,
  value: 129.9,
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
      returned: false,
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
  summary: "Create or update an order",
  description:
    "Creates the order, or adds and updates items of an existing one. Items are never removed. To cancel an item, send it with `reviewable: false`, after its delivery date with `delivery_date: null`; `reviewable: true` reactivates it. An unknown SKU is stored, but is reviewable only if the request says so or names it.",
  auth: "management",
  query: clientQuery,
  body: OrderInput,
  response: z.object({ data: z.array(Order).length(1) }),
  example: {
    query: "client_id=shop.example.com",
    body: {
      order: {
        id: "100045",
        value: 129.9,
        customer: { id: "c-2071", name: "Ada Berg", email: "ada@example.org", lang: "en" },
        items: [{ id: "LAMP-OAK-S", delivery_date: "2026-05-08", returned: false }],
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
  summary: "Retrieve an order",
  description: "URL-encode the order id in the path.",
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
  summary: "Pause or resume items of an order",
  description:
    "An item that is already paused for longer stays paused. An item that will never be invited is skipped; `conflict` if that applies to all of them. The response lists what changed and the previous state: to undo, send that to `holds`.",
  auth: "session",
  role: "moderator",
  params: OrderId,
  query: clientQuery,
  body: Hold,
  response: z.object({ data: z.array(HoldChange) }),
  errors: ["conflict"],
  idempotency: "transactional",
});

export const changeHoldsContract = endpoint({
  id: "portal.orders.holds",
  method: "PUT",
  path: "/portal/api/v1/orders/{id}/holds",
  tag: "Portal",
  summary: "Change the pauses of items of an order",
  description:
    "Changes each item from one state to another, as an undo does. An item that is no longer in the given state is left unchanged. The response lists what changed.",
  auth: "session",
  role: "moderator",
  params: OrderId,
  query: clientQuery,
  body: HoldChanges,
  response: z.object({ data: z.array(HoldChange) }),
  idempotency: "transactional",
});

export const excludeItemsContract = endpoint({
  id: "portal.orders.exclusion",
  method: "PUT",
  path: "/portal/api/v1/orders/{id}/exclusion",
  tag: "Portal",
  summary: "Exclude items of an order from invitations, or include them again",
  description:
    "Sets `reviewable` of the items. An item that will never be invited anyway is skipped; `conflict` if that applies to all of them. The response lists what changed and the previous state: to undo, send that to `exclusions`.",
  auth: "session",
  role: "admin",
  params: OrderId,
  query: clientQuery,
  body: Exclusion,
  response: z.object({ data: z.array(ExclusionChange) }),
  errors: ["conflict"],
  idempotency: "transactional",
});

export const changeExclusionsContract = endpoint({
  id: "portal.orders.exclusions",
  method: "PUT",
  path: "/portal/api/v1/orders/{id}/exclusions",
  tag: "Portal",
  summary: "Change the exclusions of items of an order",
  description:
    "Changes each item from one state to another, as an undo does. An item that is no longer in the given state is left unchanged. The response lists what changed.",
  auth: "session",
  role: "admin",
  params: OrderId,
  query: clientQuery,
  body: ExclusionChanges,
  response: z.object({ data: z.array(ExclusionChange) }),
  idempotency: "transactional",
});
