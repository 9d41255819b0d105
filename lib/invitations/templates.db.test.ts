import { beforeEach, describe, expect, test } from "vitest";
import { previewInvitation } from "@/lib/invitations/preview-invitation";
import { sendTestMail } from "@/lib/invitations/send-test-mail";
import { pool } from "@/lib/platform/db/pool";
import { englishOf } from "@/lib/platform/i18n/english-errors";
import type { Issue } from "@/lib/platform/issue";
import { deliverMail } from "@/lib/platform/mail/deliver-mail";
import { listMails } from "@/lib/platform/mail/list-mails";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { setClient } from "@/lib/settings/set-client";
import { emptyDatabase } from "@/lib/tools/test/database";
import { countBlockedQueries } from "@/lib/tools/test/factories";
import { makeClient, makeProduct } from "@/lib/tools/test/invitation-rows";

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
  const issue = await save(config).then(
    () => null,
    (error) => error,
  );
  expect(issue).toMatchObject({ code: "invalid_field" });
  const { rows } = await pool().query("select config from clients where id = $1", [client]);
  expect(rows[0].config).toEqual({});
  return (issue.issues as Issue[]).map((one) => ({ field: one.field, message: englishOf(one) }));
};

describe("rejects a client's template", () => {
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
    ["cannot be read", "html_template", `${good}{% if %}`, "can’t be rendered"],
    [
      "asks for a filter that is not there",
      "text_template",
      "{{ review_url }} {{ opt_out_url | shout }}",
      "can’t be rendered",
    ],
    ["names no opt-out", "text_template", "{{ review_url }}", "opt_out_url"],
    [
      "is slow",
      "html_template",
      `${good}{% for a in (1..400) %}{% for b in (1..400) %}{{ a | times: b }}{% endfor %}{% endfor %}`,
      "",
    ],
    ["never ends", "html_template", `${good}{% for a in (1..100000000) %}x{% endfor %}`, "can’t be rendered"],
    [
      "computes on and on within one tag",
      "html_template",
      `${good}{% assign a = (1..900000) | where_exp: "x", "${"x > 0 and ".repeat(99)} x > 0" %}`,
      "takes too long",
    ],
    ["is empty for some", "subject", "{% if only_service %}{% else %}Hej{% endif %}", "must not be empty"],
  ])("that %s", async (_, name, template, says) => {
    const issues = await refused({ [name]: template });
    expect(issues).toEqual([{ field: `config.${name}`, message: expect.stringContaining(says) }]);
  });

  test("with all issues, including those of other settings", async () => {
    const issues = await refused({ html_template: "x", text_template: "y", subject: "{{", reminder_after_days: 3 });
    expect(issues.map(({ field }) => field)).toEqual([
      "config",
      "config.subject",
      "config.html_template",
      "config.text_template",
    ]);
  });
});

test("stores and uses a valid template, and reports no issue for the default", async () => {
  expect((await previewInvitation(client)).issues).toEqual([]);
  await save({
    html_template: good,
    text_template: "{{ review_url }}\n{{ opt_out_url }}",
    subject: "{{ client_name }}?",
  });
  const preview = await previewInvitation(client, { lang: "sv" });
  expect(preview).toMatchObject({ subject: "Lanterna?", issues: [], unknown: [] });
  expect(preview.html).toContain("Hej Anna Berg!");
});

describe("templates for one language", () => {
  const own = (greeting: string) => `${greeting} ${good}`;

  test("apply to its customers, part by part; others get those for all languages", async () => {
    await save({
      subject: "{{ client_name }}?",
      html_template: own("Hello!"),
      templates: { de: { html_template: own("Moin!") }, fr: { subject: "{{ client_name }}, alors ?" } },
    });
    const in_ = async (lang: string) => {
      const { subject, html, text, issues } = await previewInvitation(client, { lang });
      return [subject, html.split(" ")[0], text.includes("{{"), issues.length];
    };
    expect(await in_("en")).toEqual(["Lanterna?", "Hello!", false, 0]);
    expect(await in_("de")).toEqual(["Lanterna?", "Moin!", false, 0]);
    expect(await in_("fr")).toEqual(["Lanterna, alors ?", "Hello!", false, 0]);
    // A blank template counts as missing.
    await save({ html_template: own("Hello!"), templates: { de: { html_template: " " } } });
    expect(await in_("de")).toEqual([expect.stringContaining("Lanterna"), "Hello!", false, 0]);
  });

  test("are rejected individually, and so is one for all that fails in a language it is for", async () => {
    expect(
      await refused({
        subject: "{% if language != 'es' %}x{% endif %}",
        html_template: good,
        templates: { de: { html_template: "x", text_template: "{{ review_url }}" }, sv: { subject: "{{" } },
      }),
    ).toEqual([
      {
        field: "config.subject",
        message: "config.subject must not be empty. It’s empty for emails about one item (es).",
      },
      { field: "config.templates.de.html_template", message: expect.stringContaining("opt_out_url") },
      { field: "config.templates.de.text_template", message: expect.stringContaining("opt_out_url") },
      { field: "config.templates.sv.subject", message: expect.stringContaining("can’t be rendered") },
    ]);
    // Spanish has its own, so it isn't affected.
    await save({ subject: "{% if language != 'es' %}x{% endif %}", templates: { es: { subject: "¿Qué tal?" } } });
    await expect(setClient(client, { config: { templates: { it: { subject: "x" } } } })).rejects.toMatchObject({
      code: "invalid_field",
    });
  });

  test("are listed with their unknown variables", async () => {
    const { unknown } = await previewInvitation(client, { config: { templates: { sv: { subject: "{{ nam }}?" } } } });
    expect(unknown).toEqual([{ template: "templates.sv.subject", name: "nam" }]);
  });
});

test("stops slow templates in time, without blocking other work", async () => {
  const slow = `${good}{% for a in (1..2000) %}{% for b in (1..2000) %}{{ a | times: b }}{% endfor %}{% endfor %}`;
  const config = { html_template: slow, templates: { sv: { text_template: slow } } };
  let [passed, done] = [0, false];
  const pass = () => {
    passed += 1;
    if (!done) setImmediate(pass);
  };
  setImmediate(pass);
  const { issues } = await previewInvitation(client, { config });
  done = true;
  expect(issues).toHaveLength(2);
  for (const { message } of issues) expect(message).toMatch(/takes too long|can’t be rendered/);
  expect(passed).toBeGreaterThan(4);
});

test("checks templates before locking the settings, and keeps concurrent changes", async () => {
  await Promise.all([
    ...["a", "b", "c"].map((subject) => save({ subject, html_template: good })),
    setClient(client, { display_name: "Lampor" }),
    setClient(client, { send_limit: 7 }),
  ]);
  const { rows } = await pool().query("select config->>'subject' as subject, display_name, send_limit from clients");
  expect(rows).toEqual([{ subject: expect.stringMatching(/^[abc]$/), display_name: "Lampor", send_limit: 7 }]);
  // The settings are locked: the templates are checked anyway, and the issues returned after the lock is released.
  const holder = await pool().connect();
  await holder.query("begin");
  await holder.query("select from clients where id = $1 for update", [client]);
  const waiting = save({ html_template: "x" }).catch((error) => error);
  await expect.poll(countBlockedQueries).toBe(1);
  await holder.query("commit");
  holder.release();
  expect(await waiting).toMatchObject({ issues: [{ field: "config.html_template" }] });
});

test("previews unsaved settings, catalog products and each kind, and reports issues", async () => {
  await makeProduct(client, "p1", { name: "Taklampa <stor>", image_url: "https://img.example/p1.jpg" });
  const before = await pool().query("select config from clients");
  const tried = await previewInvitation(client, {
    config: { html_template: `${good}{{ custmer_name }}`, accent_color: "#0f766e" },
  });
  expect(tried.html).toContain("Taklampa &lt;stor&gt;");
  expect(tried.unknown).toEqual([{ template: "html_template", name: "custmer_name" }]);
  const broken = await previewInvitation(client, { config: { html_template: "{% if %}" } });
  expect(broken.issues).toMatchObject([{ field: "config.html_template" }]);
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

test("sends a test email to the given address, marked as a test, that counts toward nothing", async () => {
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

test("rejects a test email to an unsubscribed or missing address, or with invalid templates", async () => {
  await pool().query("insert into suppressions (client_id, email_hash, reason) values ($1, $2, 'opt_out')", [
    client,
    personHash(client, "email", "boss@shop.example"),
  ]);
  await expect(sendTestMail(client, "boss@shop.example")).rejects.toMatchObject({ code: "conflict" });
  await expect(sendTestMail(client, "nobody")).rejects.toMatchObject({ code: "invalid_field" });
  await expect(sendTestMail(client, "a@x.example", { config: { text_template: "x" } })).rejects.toMatchObject({
    issues: [{ field: "config.text_template" }],
  });
  expect((await pool().query("select from mails")).rowCount).toBe(0);
});
