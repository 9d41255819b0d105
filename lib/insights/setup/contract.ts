import { z } from "zod";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId, emailAddress, single } from "@/lib/platform/http/fields";
import { SenderCheck, SetupChange, WidgetCheck, WidgetCheckInput } from "./schema";

const clientQuery = z.object({ client_id: clientId });

export const postTestOrderContract = endpoint({
  id: "portal.test_orders.create",
  method: "POST",
  path: "/portal/api/v1/test_orders",
  tag: "Portal",
  summary: "Create a test order and send its invitation now",
  description: "The cooldown, sending hours and daily limit apply as for every order.",
  auth: "session",
  query: clientQuery,
  body: z.object({
    email: emailAddress.describe("Address for the invitation."),
  }),
  status: 201,
  response: single(z.object({ order_id: z.string() })),
});

export const changeSetupContract = endpoint({
  id: "portal.setup.change",
  method: "PUT",
  path: "/portal/api/v1/setup",
  tag: "Portal",
  summary: "Skip a first step, or leave the steps out of the home page",
  auth: "session",
  query: clientQuery,
  body: SetupChange,
  status: 204,
});

export const checkWidgetContract = endpoint({
  id: "portal.setup.widget",
  method: "POST",
  path: "/portal/api/v1/setup/widget",
  tag: "Portal",
  summary: "Look for the store's widget on a page",
  description: "Reads the page's HTML. A snippet that a tag manager adds in the browser isn't found.",
  auth: "session",
  query: clientQuery,
  body: WidgetCheckInput,
  response: single(WidgetCheck),
});

export const checkSenderContract = endpoint({
  id: "portal.setup.sender",
  method: "POST",
  path: "/portal/api/v1/setup/sender",
  tag: "Portal",
  summary: "Check the DNS records of the store's sender address",
  auth: "session",
  query: clientQuery,
  response: single(SenderCheck),
  errors: ["conflict"],
});
