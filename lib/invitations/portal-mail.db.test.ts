import { expect, it } from "vitest";
import * as previewRoute from "@/app/portal/api/v1/settings/mail/preview/route";
import * as testRoute from "@/app/portal/api/v1/settings/mail/test/route";
import { sendTestMail } from "@/lib/invitations/send-test-mail";
import type { Role } from "@/lib/platform/http/contract";
import { call } from "@/lib/tools/test/call";
import { aClient, aMember, hashDatabase, rowsOf, uniqueName } from "@/lib/tools/test/factories";
import { withSettings } from "@/lib/tools/test/with-settings";

const PATH = "/portal/api/v1/settings/mail";

it("previews unsaved templates in the requested language, and stores nothing", async () => {
  const shop = await aClient({ display_name: "Lanterna" });
  const viewer = await aMember(shop, "viewer");
  const preview = (body: object) =>
    call(previewRoute, "POST", `${PATH}/preview?client_id=${shop.id}`, { ...viewer, body });
  const before = await hashDatabase();
  const { data: ours } = (await preview({ lang: "de", kind: "seller" })).json;
  expect(ours).toMatchObject({ subject: "Wie zufrieden waren Sie mit Lanterna?", issues: [], unknown: [] });
  const config = { subject: "{{ client_name }} asks", html_template: "<p>{{ greting }}</p>" };
  const { data } = (await preview({ config })).json;
  expect(data.subject).toBe("Lanterna asks");
  expect(data.issues).toEqual([
    {
      field: "config.html_template",
      message: expect.stringContaining("opt_out_url"),
      reason: "opt_out_link_missing",
      params: { mail: "one", language: "none" },
    },
  ]);
  expect(await hashDatabase()).toEqual(before);
  expect((await preview({ config: { html_template: 5 } })).status).toBe(422);
  expect((await preview({ lang: "xx" })).status).toBe(422);
});

it("sends a test email at an admin's request, and rejects templates that can't be saved", async () => {
  const shop = await aClient();
  const test = async (role: Role, body: object) =>
    call(testRoute, "POST", `${PATH}/test?client_id=${shop.id}`, { ...(await aMember(shop, role)), body });
  const to = `${uniqueName("me")}@shop.example`;
  expect((await test("moderator", { to })).status).toBe(403);
  expect((await test("admin", { to: "nobody" })).status).toBe(422);
  expect((await test("admin", { to, config: { html_template: "<p>Hello</p>" } })).status).toBe(422);
  expect(await rowsOf('select from mails where "to" = $1', [to])).toEqual([]);
  const sent = await test("admin", { to, config: { subject: "Mine" } });
  expect(sent.status).toBe(200);
  expect(await rowsOf('select id, subject, kind from mails where "to" = $1', [to])).toEqual([
    { id: sent.json.data.mail_id, subject: "[Test] Mine", kind: "test" },
  ]);
});

it("limits test emails per person and hour, since content and address are arbitrary", async () => {
  const shop = await aClient();
  const [busy, other] = [{ id: uniqueName("user") }, { id: uniqueName("user") }];
  const send = (sender: { id: string }) => sendTestMail(shop.id, "me@x.example", {}, sender);
  await withSettings({ RATE_LIMITS: "0.1" }, async () => {
    for (let remaining = 3; remaining > 0; remaining -= 1) await send(busy);
    await expect(send(busy)).rejects.toEqual(expect.objectContaining({ code: "rate_limited" }));
    await send(other);
  });
  expect(await rowsOf("select from mails where client_id = $1", [shop.id])).toHaveLength(4);
});
