import { beforeEach, describe, expect, it } from "vitest";
import * as preview from "@/app/portal/api/v1/settings/mail/preview/route";
import * as testMail from "@/app/portal/api/v1/settings/mail/test/route";
import * as settings from "@/app/portal/api/v1/settings/route";
import * as restored from "@/app/portal/api/v1/settings/templates/[language]/versions/[version]/restore/route";
import * as one from "@/app/portal/api/v1/settings/templates/[language]/versions/[version]/route";
import * as all from "@/app/portal/api/v1/settings/templates/[language]/versions/route";
import { readClient } from "@/lib/accounts/stores/get-client";
import type { TemplateBlocks } from "@/lib/accounts/stores/template-blocks/schema";
import { compileBlocks } from "@/lib/invitations/template-blocks/compile";
import { defaultBlocks } from "@/lib/invitations/template-blocks/rules";
import { currentBlocks, MAX_VERSIONS } from "@/lib/invitations/template-blocks/versions";
import { pool } from "@/lib/platform/db/pool";
import { setClient } from "@/lib/settings/set-client";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import { aClient, aMember, rowsOf, type TestClient, uniqueName } from "@/lib/tools/test/factories";

let shop: TestClient;
let admin: RequestOptions;
beforeEach(async () => {
  shop = await aClient();
  admin = await aMember(shop, "admin");
});

const blocks = defaultBlocks("Dear {{ customer_name }},");
const html = `<a href="{{ review_url }}">x</a> <a href="{{ opt_out_url }}">y</a>`;

const row = async (id = shop.id) => (await rowsOf("select version, config from clients where id = $1", [id]))[0];
const put = async (body: { settings?: object; blocks?: Record<string, TemplateBlocks | object>; version?: number }) =>
  call(settings, "PUT", `/portal/api/v1/settings?client_id=${shop.id}`, {
    ...admin,
    body: { version: (await row()).version, settings: {}, ...body },
  });
const pathOf = (rest = "", of = shop.id, language = "all") =>
  `/portal/api/v1/settings/templates/${language}/versions${rest}?client_id=${of}`;
const versions = async (language = "all") => {
  const answer = await call(all, "GET", pathOf("", shop.id, language), admin);
  expect(answer.status).toBe(200);
  return answer.json.data as { version: number; made_of: string; by_kind: string; saved_by: string | null }[];
};
const kinds = async (language?: string) => (await versions(language)).map(({ version, made_of }) => [version, made_of]);
const restore = async (
  version: number,
  { language = "all", settingsVersion = -1, sender = admin, of = shop.id } = {},
) =>
  call(restored, "POST", pathOf(`/${version}/restore`, of, language), {
    ...sender,
    body: { version: settingsVersion < 0 ? (await row(of)).version : settingsVersion },
  });
const current = async () => {
  const client = await readClient(pool(), shop.id);
  return client ? currentBlocks(client) : null;
};

describe("a template made of blocks", () => {
  it("is saved as Liquid with a version, and keeps its blocks until its text changes", async () => {
    const { status } = await put({ settings: { display_name: "Lanterna" }, blocks: { all: blocks, de: blocks } });
    expect(status).toBe(200);
    const compiled = compileBlocks(blocks);
    expect((await row()).config).toEqual({ ...compiled, templates: { de: compiled } });
    expect(await versions()).toMatchObject([{ version: 1, made_of: "blocks", by_kind: "user" }]);
    const [user] = await rowsOf(
      "select u.id from users u join template_versions v on v.actor_id = u.id where v.client_id = $1",
      [shop.id],
    );
    expect((await versions())[0]?.saved_by).toBeTruthy();
    await rowsOf("update users set name = 'Maja Lind' where id = $1", [user?.id]);
    expect((await versions())[0]?.saved_by).toBe("Maja Lind");
    expect(await kinds("de")).toEqual([[1, "blocks"]]);
    expect(await kinds("sv")).toEqual([]);
    expect(await current()).toEqual({ all: blocks, de: blocks });
    // Other settings and the same texts make no version.
    await setClient(shop.id, { display_name: "Lampor" });
    await put({ blocks: { all: blocks } });
    await put({ settings: { config: { ...(await row()).config, accent_color: "#0f766e" } } });
    expect(await kinds()).toEqual([[1, "blocks"]]);
    // As the API and the command save it: one template changes, the other keeps its blocks.
    await setClient(shop.id, { config: { ...(await row()).config, html_template: html } });
    expect(await versions()).toMatchObject([
      { version: 2, made_of: "html", by_kind: "system", saved_by: null },
      { version: 1, made_of: "blocks" },
    ]);
    expect(await current()).toEqual({ de: blocks });
  });

  it("replaces the texts of its language only", async () => {
    const config = {
      subject: "For all",
      logo_url: "https://shop.example/logo.png",
      templates: { sv: { subject: "Hej" } },
    };
    await put({ settings: { config }, blocks: { de: blocks } });
    expect((await row()).config).toEqual({
      ...config,
      templates: { sv: { subject: "Hej" }, de: compileBlocks(blocks) },
    });
    expect(await kinds()).toEqual([[1, "html"]]);
    expect(await kinds("sv")).toEqual([[1, "html"]]);
    expect(await kinds("de")).toEqual([[1, "blocks"]]);
  });

  it("isn't saved, previewed as complete or sent as a test if something is missing or not allowed", async () => {
    const without: TemplateBlocks = { ...blocks, blocks: blocks.blocks.filter(({ type }) => type !== "button") };
    const before = await row();
    const answer = await put({ settings: { display_name: "Not saved" }, blocks: { de: without } });
    expect([answer.status, answer.json.errors]).toMatchObject([
      422,
      [{ field: "blocks.de.blocks", reason: "blocks_without_review_button" }],
    ]);
    const button = { id: "b", type: "button", label: "x", url: "javascript:alert(1)" };
    for (const bad of [
      { ...blocks, blocks: [button, ...blocks.blocks] },
      { ...blocks, blocks: blocks.blocks.slice(0, -1) },
      { ...blocks, blocks: [{ id: "x", type: "html", text: "<b>" }, ...blocks.blocks] },
    ])
      expect((await put({ blocks: { all: bad } })).status).toBe(422);
    expect((await put({ blocks: { xx: blocks } })).status).toBe(422);
    const query = `client_id=${shop.id}`;
    const shown = await call(preview, "POST", `/portal/api/v1/settings/mail/preview?${query}`, {
      ...admin,
      body: { lang: "de", blocks: { de: without } },
    });
    expect(shown.json.data.issues).toMatchObject([{ reason: "blocks_without_review_button" }]);
    const sent = await call(testMail, "POST", `/portal/api/v1/settings/mail/test?${query}`, {
      ...admin,
      body: { to: `${uniqueName("test")}@shop.example`, lang: "de", blocks: { de: without } },
    });
    expect(sent.status).toBe(422);
    expect(await row()).toEqual(before);
    expect(await rowsOf("select 1 from template_versions where client_id = $1", [shop.id])).toEqual([]);
  });

  it("is previewed and sent as a test without being saved", async () => {
    const body = {
      lang: "de",
      blocks: { de: defaultBlocks("Moin <b>{{ customer_name }}</b> {{ customer_email }}") },
      config: { logo_url: "https://shop.example/logo.png" },
    };
    const query = `client_id=${shop.id}`;
    const { json } = await call(preview, "POST", `/portal/api/v1/settings/mail/preview?${query}`, { ...admin, body });
    expect(json.data.issues).toEqual([]);
    expect(json.data.html).toContain("Moin &lt;b&gt;Anna Berg&lt;/b&gt; &#123;&#123; customer_email &#125;&#125;");
    expect(json.data.html).toContain('src="https://shop.example/logo.png"');
    const to = `${uniqueName("test")}@shop.example`;
    const sent = await call(testMail, "POST", `/portal/api/v1/settings/mail/test?${query}`, {
      ...admin,
      body: { ...body, to },
    });
    expect(sent.status).toBe(200);
    const [mail] = await rowsOf("select html, text from mails where id = $1", [sent.json.data.mail_id]);
    expect(mail.text).toContain("Moin <b>Anna Berg</b> {{ customer_email }}");
    expect((await row()).config).toEqual({});
  });
});

describe("versions", () => {
  it("include the text from before versions were recorded", async () => {
    const old = { subject: "Old", html_template: html };
    await rowsOf("update clients set config = $2 where id = $1", [shop.id, JSON.stringify(old)]);
    await put({ blocks: { all: blocks } });
    expect(await versions()).toMatchObject([
      { version: 2, made_of: "blocks", by_kind: "user" },
      { version: 1, made_of: "html", by_kind: "unknown", saved_by: null },
    ]);
    expect((await restore(1)).status).toBe(200);
    expect((await row()).config).toEqual(old);
  });

  it("are restored as a new version, with their blocks or as HTML", async () => {
    await put({ blocks: { all: blocks } });
    const compiled = (await row()).config;
    await put({ settings: { config: { ...compiled, html_template: html } } });
    await put({ settings: { config: {} } });
    expect(await kinds()).toEqual([
      [3, "default"],
      [2, "html"],
      [1, "blocks"],
    ]);
    const first = await restore(1);
    expect([first.status, first.json.data.version]).toEqual([200, (await row()).version]);
    expect((await row()).config).toEqual(compiled);
    expect(await current()).toEqual({ all: blocks });
    expect((await restore(2)).status).toBe(200);
    expect(await current()).toEqual({});
    expect((await restore(3)).status).toBe(200);
    expect((await row()).config).toEqual({});
    expect((await kinds()).map(([, kind]) => kind)).toEqual(["default", "html", "blocks", "default", "html", "blocks"]);
    const { json } = await call(one, "GET", pathOf("/1"), admin);
    expect(json.data).toEqual({ version: 1, ...compiled, blocks });
    const entries = await rowsOf("select action from audit_entries where client_id = $1", [shop.id]);
    expect(entries).toHaveLength(6);
  });

  it("aren't restored over a change that the person hasn't seen, nor by others", async () => {
    await put({ blocks: { all: blocks } });
    const { version } = await row();
    await put({ settings: { config: {} } });
    const before = await row();
    const stale = await restore(1, { settingsVersion: version });
    expect([stale.status, stale.json.errors[0].reason]).toEqual([409, "settings_changed"]);
    expect((await restore(99)).status).toBe(404);
    expect((await restore(1, { language: "de" })).status).toBe(404);
    expect((await restore(1, { sender: await aMember(shop, "moderator") })).status).toBe(403);
    // Another store has no version with this number, although this one has.
    const other = await aClient();
    const foreign = await aMember(other, "admin");
    expect((await restore(1, { sender: foreign, of: other.id })).status).toBe(404);
    expect((await restore(1, { sender: foreign })).status).toBe(403);
    expect(await row()).toEqual(before);
  });

  it("are made once by two saves at a time, and only with the change", async () => {
    const { version } = await row();
    const answers = await Promise.all([
      put({ version, blocks: { all: blocks } }),
      put({ version, blocks: { all: defaultBlocks("Hej") } }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await kinds()).toEqual([[1, "blocks"]]);
    const again = await row();
    const twice = await Promise.all([1, 2].map(() => restore(1, { settingsVersion: again.version })));
    expect(twice.map(({ status }) => status)).toEqual([200, 200]);
    expect(await kinds()).toEqual([[1, "blocks"]]);
  });

  it(`are the last ${MAX_VERSIONS} of each language`, async () => {
    await put({ blocks: { all: blocks, de: blocks } });
    await rowsOf("update template_versions set version = version + $2 where client_id = $1 and language = 'all'", [
      shop.id,
      MAX_VERSIONS - 1,
    ]);
    await put({ settings: { config: { templates: (await row()).config.templates } } });
    expect(await kinds()).toEqual([
      [MAX_VERSIONS + 1, "default"],
      [MAX_VERSIONS, "blocks"],
    ]);
    await rowsOf(
      `insert into template_versions (client_id, template, language, version)
       select $1, 'invitation', 'all', n from generate_series(1, $2::int) n`,
      [shop.id, MAX_VERSIONS - 1],
    );
    await put({ blocks: { all: blocks } });
    const left = await versions();
    expect([left.length, left[0]?.version, left.at(-1)?.version]).toEqual([MAX_VERSIONS, MAX_VERSIONS + 2, 3]);
    expect(await kinds("de")).toEqual([[1, "blocks"]]);
  });

  it("are deleted with their store", async () => {
    await put({ blocks: { all: blocks } });
    await rowsOf("delete from clients where id = $1", [shop.id]);
    expect(await rowsOf("select 1 from template_versions where client_id = $1", [shop.id])).toEqual([]);
  });
});
