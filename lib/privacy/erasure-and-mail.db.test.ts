import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { claimInvitations, unsentInvitations } from "@/lib/invitations/claim-invitations";
import { sendInvitation } from "@/lib/invitations/send-invitation";
import { erasePersonalData } from "@/lib/privacy/erase-personal-data";
import { emptyDatabase } from "@/lib/tools/test/database";
import { waitUntil } from "@/lib/tools/test/engines";
import { aClient, anOrder, rowsOf, uniqueName } from "@/lib/tools/test/factories";
import { findEverywhere } from "@/lib/tools/test/find-everywhere";
import { changeSettings } from "@/lib/tools/test/with-settings";

// Emails to a person who is erased while the mail server is slow or rejects them.

let received: string[] = [];
let mode: "takes" | "holds" | "refuses" = "takes";
const pendingReleases: (() => void)[] = [];
const service = createServer(async (request, response) => {
  const { to } = JSON.parse(await text(request)) as { to: string };
  received.push(to);
  response.setHeader("content-type", "application/json");
  if (mode === "refuses")
    return void response
      .writeHead(429)
      .end(JSON.stringify({ statusCode: 429, name: "monthly_quota_exceeded", message: `enough for <${to}>` }));
  if (mode === "holds") await new Promise<void>((resolve) => pendingReleases.push(resolve));
  response.end(JSON.stringify({ id: "re_1" }));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  return changeSettings({
    RESEND_API_KEY: "re_test",
    RESEND_BASE_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    MAIL_FROM: "reviews@candor.example",
  });
});
afterAll(() => new Promise((resolve) => service.close(resolve)));
beforeEach(async () => {
  await emptyDatabase();
  received = [];
  mode = "takes";
});

/** A customer with a claimed invitation. */
async function due() {
  const { id: clientId } = await aClient();
  const id = uniqueName("customer");
  const delivery_date = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10);
  const customer = { id, name: `Name ${id}`, email: `${id}@customers.example` };
  await anOrder(clientId, { id: `order-${id}`, customer, items: [{ id: "lamp", name: "Lamp", delivery_date }] });
  const [invitation = ""] = await claimInvitations(clientId);
  const erase = () => erasePersonalData({ kind: "key", id: "key_1" }, { id: clientId }, { by: "customer", id });
  return { clientId, invitation, id, erase };
}

it("sends an email in transit once and leaves nothing behind", async () => {
  const { clientId, invitation, id, erase } = await due();
  mode = "holds";
  const sending = sendInvitation(clientId, invitation);
  await waitUntil(async () => pendingReleases.length > 0);
  expect(await erase()).toBe("deleted");
  for (const release of pendingReleases.splice(0)) release();
  await sending;
  expect(await rowsOf("select from mails")).toEqual([]);
  mode = "takes";
  for (const left of [invitation, ...(await unsentInvitations(clientId))]) await sendInvitation(clientId, left);
  expect(received).toEqual([`${id}@customers.example`]);
  expect(Object.values(await findEverywhere([id])).flat()).toEqual([]);
});

it("never sends an email that was queued for a retry", async () => {
  const { clientId, invitation, id, erase } = await due();
  mode = "refuses";
  const refused = await sendInvitation(clientId, invitation).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "unavailable", message: expect.stringContaining("enough for <***>") });
  expect(await rowsOf("select status from mails")).toEqual([{ status: "queued" }]);
  expect(await erase()).toBe("deleted");
  mode = "takes";
  for (const left of [invitation, ...(await unsentInvitations(clientId))]) await sendInvitation(clientId, left);
  expect(received).toHaveLength(1);
  expect(Object.values(await findEverywhere([id])).flat()).toEqual([]);
});

it("doesn't send a possibly delivered email again to the other customer with its address", async () => {
  const { id: clientId } = await aClient();
  const ids = [uniqueName("customer"), uniqueName("customer")];
  const email = `${ids[0]}@customers.example`;
  const delivery_date = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10);
  for (const id of ids) {
    const items = [{ id: `lamp-${id}`, name: `Lamp ${id}`, delivery_date }];
    await anOrder(clientId, { id: `order-${id}`, customer: { id, name: `Name ${id}`, email }, items });
  }
  const [invitation = ""] = await claimInvitations(clientId);
  const [{ customer_id: erased }] = await rowsOf("select customer_id from invitations");
  mode = "refuses";
  await sendInvitation(clientId, invitation).catch(() => undefined);
  await rowsOf("update mails set doubtful_since = now()"); // As if the server's response was lost.
  await erasePersonalData({ kind: "key", id: "key_1" }, { id: clientId }, { by: "customer", id: erased });
  mode = "takes";
  for (const left of [invitation, ...(await unsentInvitations(clientId))]) await sendInvitation(clientId, left);
  expect(received).toEqual([email]);
  expect(await rowsOf("select status, subject, html, text from mails")).toEqual([
    { status: "failed", subject: "", html: null, text: null },
  ]);
  expect(await rowsOf("select customer_id, status from invitations")).toEqual([
    { customer_id: ids.find((id) => id !== erased), status: "failed" },
  ]);
  expect(Object.values(await findEverywhere([`Name ${erased}`, `Lamp ${erased}`])).flat()).toEqual([]);
});
