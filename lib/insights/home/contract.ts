import { z } from "zod";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId, emailAddress, single } from "@/lib/platform/http/fields";

export const postTestOrderContract = endpoint({
  id: "portal.test_orders.create",
  method: "POST",
  path: "/portal/api/v1/test_orders",
  tag: "Portal",
  summary: "Create a test order and send its invitation now",
  description: "The cooldown, sending hours and daily limit apply as for every order.",
  auth: "session",
  query: z.object({ client_id: clientId }),
  body: z.object({
    email: emailAddress.describe("Address for the invitation."),
  }),
  status: 201,
  response: single(z.object({ order_id: z.string() })),
});
