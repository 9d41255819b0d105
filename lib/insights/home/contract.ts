import { z } from "zod";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId, emailAddress, single } from "@/lib/platform/http/fields";

export const postTestOrderContract = endpoint({
  id: "portal.test_orders.create",
  method: "POST",
  path: "/portal/api/v1/test_orders",
  tag: "Portal",
  summary: "Make an order to try things with, and send its invitation at once",
  description: "Quarantine, sending hours and the day's limit hold for it as for every order.",
  auth: "session",
  query: z.object({ client_id: clientId }),
  body: z.object({
    email: emailAddress.describe("Where its invitation goes."),
  }),
  status: 201,
  response: single(z.object({ order_id: z.string() })),
});
