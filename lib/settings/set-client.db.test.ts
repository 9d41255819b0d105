import { beforeEach, describe, expect, it } from "vitest";
import * as settings from "@/app/portal/api/v1/settings/route";
import { getClient } from "@/lib/accounts/stores/get-client";
import { setClient } from "@/lib/settings/set-client";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import { aClient, aMember, rowsOf, type TestClient } from "@/lib/tools/test/factories";

let shop: TestClient;
let admin: RequestOptions;
beforeEach(async () => {
  shop = await aClient();
  admin = await aMember(shop, "admin");
});

const row = async () => (await rowsOf("select * from clients where id = $1", [shop.id]))[0];
const put = async (changes: object, { version, ...sent }: RequestOptions & { version?: number } = admin) =>
  call(settings, "PUT", `/portal/api/v1/settings?client_id=${shop.id}`, {
    ...sent,
    body: { version: version ?? (await row()).version, settings: changes },
  });
const audited = () =>
  rowsOf("select actor_kind, action, subject, detail from audit_entries where client_id = $1 order by id", [shop.id]);

describe("settings saved in the portal", () => {
  it("are read by the next request, even before the database notifies of the change", async () => {
    const before = await getClient(shop.id);
    const answer = await put({ display_name: "Lanterna" });
    expect(await getClient(shop.id)).toMatchObject({ display_name: "Lanterna", version: answer.json.data.version });
    expect(before?.display_name).not.toBe("Lanterna");
  });

  it("writes all, raises the version, and records an audit entry with only what changed", async () => {
    const before = await row();
    const custom_questions = [
      { id: "fit", type: "select", options: [{ id: "small", label: { en: "Small" } }], label: { en: "Fit?" } },
    ];
    const answer = await put({
      display_name: "Lanterna",
      send_limit: before.send_limit,
      min_review_words: 3,
      config: { time_zone: "Europe/Stockholm" },
      allowed_origins: ["https://shop.example"],
      custom_questions,
      rules: { price: { on: false } },
    });
    const after = await row();
    expect([answer.status, answer.json.data.version]).toEqual([200, after.version]);
    expect(after.version).toBeGreaterThan(before.version);
    expect(after).toMatchObject({
      display_name: "Lanterna",
      min_review_words: 3,
      config: { time_zone: "Europe/Stockholm" },
      allowed_origins: ["https://shop.example"],
      custom_questions: [{ id: "fit", required: false, multiple: false }],
      rules: { price: { on: false } },
    });
    const [entry, ...more] = await audited();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ actor_kind: "user", action: "client.updated", subject: shop.id });
    expect(Object.keys(entry.detail).sort()).toEqual(
      ["allowed_origins", "config", "custom_questions", "display_name", "min_review_words", "rules"].sort(),
    );
    // Saving the same again writes and records nothing.
    expect((await put({ display_name: "Lanterna" })).json.data.version).toBe(after.version);
    expect(await audited()).toHaveLength(1);
  });

  it("have a reward for reviews of some text, at most 200 characters", async () => {
    expect((await put({ config: { incentive: "5 € voucher" } })).status).toBe(200);
    for (const incentive of [" ", "x".repeat(201), 5, null]) {
      const answer = await put({ config: { incentive } });
      expect([answer.status, answer.json.errors[0].field]).toEqual([422, "settings.config.incentive"]);
    }
    expect((await row()).config).toEqual({ incentive: "5 € voucher" });
  });

  it("rejects the second of two concurrent changes with a conflict", async () => {
    const { version } = await row();
    const [a, b] = await Promise.all([
      put({ display_name: "One" }, { ...admin, version }),
      put({ email_name: "Two" }, { ...admin, version }),
    ]);
    const [accepted, rejected] = a.status === 200 ? [a, b] : [b, a];
    expect([accepted.status, rejected.status, rejected.json.errors[0].code]).toEqual([200, 409, "conflict"]);
    expect(await audited()).toHaveLength(1);
    expect((await put({ email_name: "Two" }, { ...admin, version: accepted.json.data.version })).status).toBe(200);
  });

  it("changes nothing if one setting is invalid, conflicts with others, or isn't the store's to set", async () => {
    await setClient(shop.id, { contract_send_limit: 100, send_limit: 50 });
    const before = await row();
    for (const [changes, field] of [
      [{ display_name: "Fine", send_limit: 101 }, "send_limit"],
      [{ display_name: " " }, "settings.display_name"],
      [{ contract_send_limit: 1_000 }, "settings"],
      [{ surprise: true }, "settings"],
      [{ must_agree_to_terms: true }, "must_agree_to_terms"],
      [{ send_emails_after_days: 90 }, "send_emails_after_days"],
      [{ allowed_origins: ["https://shop.example/path"] }, "settings.allowed_origins[0]"],
      [{ config: { time_zone: "Mars/Olympus" } }, "settings.config.time_zone"],
      [{ config: { time_zone: "+05:30" } }, "settings.config.time_zone"],
      // PostgreSQL doesn't know it.
      [{ config: { time_zone: "AET" } }, "settings.config.time_zone"],
      ...[
        "https://reviews.shop.example",
        "reviews.shop.example/",
        "Reviews.shop.example",
        "ada@reviews.shop.example",
        "reviews.shop.example:443",
        "reviews.shop.example:99999",
        "reviews",
        "-a.example",
        "192.0.2.1",
        "0x7f.1",
        "a b.example",
        "a;b.example",
        "",
      ].map((widget_host) => [{ config: { widget_host } }, "settings.config.widget_host"] as const),
      [{ custom_questions: [{ id: "title", type: "text", label: {} }] }, "settings.custom_questions[0].id"],
      [{ rules: { price: { action: "delete" } } }, "settings.rules.price.action"],
    ] as const) {
      const answer = await put(changes);
      expect([answer.status, answer.json.errors[0].field], JSON.stringify(changes)).toEqual([422, field]);
    }
    const foreign = await aMember(await aClient(), "admin");
    for (const sender of [await aMember(shop, "moderator"), await aMember(shop, "viewer"), foreign])
      expect((await put({ display_name: "Mine" }, sender)).status).toBe(403);
    expect((await put({ display_name: "Mine" }, { key: shop.key })).status).toBe(401);
    expect(await row()).toEqual(before);
    expect(await audited()).toEqual([]);
  });
});
