import { expect, it } from "vitest";
import * as settingsRoute from "@/app/portal/api/v1/settings/invitations/route";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import { aClient, aMember, rowsOf } from "@/lib/tools/test/factories";

const PATH = "/portal/api/v1/settings/invitations";

it("lets only admins set when invitations are sent", async () => {
  const shop = await aClient({ send_limit: 200, contract_send_limit: 500 });
  const other = await aClient();
  const admin = await aMember(shop, "admin");
  const put = (sent: RequestOptions, body: object, client = shop.id) =>
    call(settingsRoute, "PUT", `${PATH}?client_id=${client}`, { ...sent, body });
  for (const role of ["viewer", "moderator"] as const)
    expect((await put(await aMember(shop, role), { send_limit: 5 })).status).toBe(403);
  expect((await put(admin, { send_limit: 5 }, other.id)).status).toBe(403);
  expect((await put(admin, { send_limit: 501 })).status).toBe(422);
  expect((await put(admin, { send_emails_after_days: 61 })).status).toBe(422);
  expect((await put(admin, { quarantine_period: -1 })).status).toBe(422);
  const settings = async () =>
    (
      await rowsOf(
        "select send_limit, quarantine_period, send_emails_after_days as after, locale from clients where id = $1",
        [shop.id],
      )
    )[0];
  expect(await settings()).toEqual({ send_limit: 200, quarantine_period: null, after: 7, locale: "en_US" });
  expect((await put(admin, { send_limit: 500, quarantine_period: 30, locale: "sv_SE" })).status).toBe(204);
  expect(await settings()).toEqual({ send_limit: 500, quarantine_period: 30, after: 7, locale: "en_US" });
  const auditEntries = await rowsOf("select action, subject, detail from audit_entries where client_id = $1", [
    shop.id,
  ]);
  expect(auditEntries).toEqual([
    { action: "client.updated", subject: shop.id, detail: { send_limit: 500, quarantine_period: 30 } },
  ]);
});
