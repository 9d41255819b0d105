import { beforeEach, describe, expect, test } from "vitest";
import { setClient } from "@/lib/clients/set-client";
import { pool } from "@/lib/db/pool";
import { previewInvitation } from "@/lib/invitations/preview-invitation";
import { sendTestMail } from "@/lib/invitations/send-test-mail";
import { deliverMail } from "@/lib/mail/deliver-mail";
import { listMails } from "@/lib/mail/list-mails";
import { personHash } from "@/lib/personal-data/person-hash";
import { emptyDatabase } from "@/lib/test/database";
import { makeClient, makeProduct } from "@/lib/test/invitation-rows";

let client: string;
let shops = 0;
beforeEach(async () => {
  await emptyDatabase();
  client = await makeClient(`looks-${++shops}`, { display_name: "Lanterna", email_name: "Lanterna" });
});

const good = `<p>{{ greeting }}</p>{% for item in items %}<a href="{{ item.review_url }}">{{ item.name }}</a>{% endfor %}
  <a href='{{ review_url }}'>all</a> <a class=x href={{ opt_out_url }}>{{ opt_out_a }}</a>`;
const save = (config: Record<string, unknown>) => setClient(client, { config });
const refused = async (config: Record<string, unknown>) => {
  const fault = await save(config).then(
    () => null,
    (error) => error,
  );
  expect(fault).toMatchObject({ code: "invalid_field" });
  const { rows } = await pool().query("select config from clients where id = $1", [client]);
  expect(rows[0].config).toEqual({});
  return fault.faults as { field: string; message: string }[];
};

describe("a client's template is refused", () => {
  test.each([
    ["does not link to the opt-out", "html_template", good.replace("{{ opt_out_url }}", "#"), "opt_out_url"],
    [
      "only shows the opt-out's address",
      "html_template",
      `${good.replace("href={{ opt_out_url }}", "")}{{ opt_out_url }}`,
      "opt_out_url",
    ],
    [
      "has it for some mails only",
      "html_template",
      `{% if all_items_present %}${good}{% else %}<a href="{{ review_url }}">x</a>{% endif %}`,
      "more items",
    ],
    ["has it in a comment", "html_template", `{% comment %}${good}{% endcomment %}`, "opt_out_url"],
    ["does not lead to the form", "html_template", `<a href="{{ opt_out_url }}">x</a>`, "review_url"],
    ["cannot be read", "html_template", `${good}{% if %}`, "cannot be filled in"],
    [
      "asks for a filter that is not there",
      "text_template",
      "{{ review_url }} {{ opt_out_url | shout }}",
      "cannot be filled in",
    ],
    ["names no opt-out", "text_template", "{{ review_url }}", "opt_out_url"],
    [
      "is slow",
      "html_template",
      `${good}{% for a in (1..400) %}{% for b in (1..400) %}{{ a | times: b }}{% endfor %}{% endfor %}`,
      "",
    ],
    ["never ends", "html_template", `${good}{% for a in (1..100000000) %}x{% endfor %}`, "cannot be filled in"],
    ["is empty for some", "subject", "{% if only_service %}{% else %}Hej{% endif %}", "must not be empty"],
  ])("that %s", async (_, name, template, says) => {
    const began = performance.now();
    const faults = await refused({ [name]: template });
    expect(faults).toEqual([{ field: `config.${name}`, message: expect.stringContaining(says) }]);
    expect(performance.now() - began).toBeLessThan(4_000);
  });

  test("with all faults at once, and with those of other settings", async () => {
    const faults = await refused({ html_template: "x", text_template: "y", subject: "{{", reminder_after_days: 3 });
    expect(faults.map(({ field }) => field)).toEqual([
      "config",
      "config.subject",
      "config.html_template",
      "config.text_template",
    ]);
  });
});

test("a good template is stored and used; the default has no fault", async () => {
  expect((await previewInvitation(client)).faults).toEqual([]);
  await save({
    html_template: good,
    text_template: "{{ review_url }}\n{{ opt_out_url }}",
    subject: "{{ client_name }}?",
  });
  const preview = await previewInvitation(client, { lang: "sv" });
  expect(preview).toMatchObject({ subject: "Lanterna?", faults: [], unknown: [] });
  expect(preview.html).toContain("Hej Anna Berg!");
});

test("a preview shows what is not saved, the catalogue's products, each kind, and what would be refused", async () => {
  await makeProduct(client, "p1", { name: "Taklampa <stor>", image_url: "https://img.example/p1.jpg" });
  const before = await pool().query("select config from clients");
  const tried = await previewInvitation(client, {
    config: { html_template: `${good}{{ custmer_name }}`, accent_color: "#0f766e" },
  });
  expect(tried.html).toContain("Taklampa &lt;stor&gt;");
  expect(tried.unknown).toEqual([{ template: "html_template", name: "custmer_name" }]);
  const broken = await previewInvitation(client, { config: { html_template: "{% if %}" } });
  expect(broken.faults).toMatchObject([{ field: "config.html_template" }]);
  expect(broken.html).toContain("Taklampa");
  expect((await previewInvitation(client, { kind: "reminder", lang: "de" })).subject).toContain("Erinnerung");
  const seller = await previewInvitation(client, { kind: "seller" });
  expect(seller.subject).toBe("How was Lanterna?");
  expect(seller.html).toContain("item=seller&amp;score=5");
  await expect(previewInvitation("nobody")).rejects.toMatchObject({ code: "not_found" });
  await expect(previewInvitation(client, { config: { colour: 1 } })).rejects.toMatchObject({ code: "invalid_field" });
  expect((await pool().query("select config from clients")).rows).toEqual(before.rows);
  expect((await pool().query("select from mails")).rowCount).toBe(0);
});

test("a test mail goes to the address given, says that it is one and counts for nothing", async () => {
  const { mail_id } = await sendTestMail(client, " Boss@Shop.example", { lang: "fr" });
  expect(await deliverMail(mail_id)).toBe("kept");
  const [mail] = await listMails({ to: "boss@shop.example" });
  expect(mail?.subject).toMatch(/^\[Test\] Que pensez-vous/);
  expect(mail?.headers["List-Unsubscribe"]).toContain("/o/");
  const { rows } = await pool().query(
    "select (select count(*) from send_days) + (select count(*) from quarantines) as counted",
  );
  expect(rows).toEqual([{ counted: 0 }]);
});

test("a test mail is refused to an address that unsubscribed, to no address, and with templates that cannot be used", async () => {
  await pool().query("insert into suppressions (client_id, email_hash, reason) values ($1, $2, 'opt_out')", [
    client,
    personHash(client, "email", "boss@shop.example"),
  ]);
  await expect(sendTestMail(client, "boss@shop.example")).rejects.toMatchObject({ code: "conflict" });
  await expect(sendTestMail(client, "nobody")).rejects.toMatchObject({ code: "invalid_field" });
  await expect(sendTestMail(client, "a@x.example", { config: { text_template: "x" } })).rejects.toMatchObject({
    faults: [{ field: "config.text_template" }],
  });
  expect((await pool().query("select from mails")).rowCount).toBe(0);
});
