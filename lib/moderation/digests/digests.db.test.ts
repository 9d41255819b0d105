import { expect, it } from "vitest";
import * as off from "@/app/d/[token]/route";
import * as account from "@/app/portal/api/v1/account/digest/route";
import { runJob } from "@/inngest/jobs";
import { listDueDigests, sendDigest, sendDigests } from "@/lib/moderation/digests/send-digests";
import { withNow } from "@/lib/platform/clock";
import type { Role } from "@/lib/platform/http/contract";
import { languages } from "@/lib/platform/i18n/languages";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import {
  aClient,
  aMember,
  aUser,
  hashDatabase,
  rowsOf,
  sessionHeaders,
  someProducts,
  someQuestions,
  someReviews,
  type TestClient,
  uniqueName,
} from "@/lib/tools/test/factories";

/** Creates a member with an email address; `sent` authenticates requests. */
async function aPerson(shop: TestClient, { role = "moderator" as Role, locale = null as string | null } = {}) {
  const user = await aUser(role, { accountId: shop.accountId, clients: [shop.id] });
  const email = `${uniqueName("mo")}@shop.example`;
  const [{ id }] = await rowsOf(
    "update users set email = $2, email_key = $2, locale = $3 where username = $1 returning id",
    [user.username, email, locale],
  );
  return { id: id as string, email, sent: { headers: await sessionHeaders(user) } as RequestOptions };
}
const set = (shop: { id: string }, sent: RequestOptions, digest: unknown) =>
  call(account, "PUT", `/portal/api/v1/account/digest?client_id=${shop.id}`, { ...sent, body: { digest } });
const at = <T>(time: string, work: () => Promise<T>) => withNow(new Date(`${time}Z`), work);
const mailsTo = (email: string) =>
  rowsOf(
    `select subject, html, text, headers, kind, idempotency_key from mails where "to" = $1 order by created_at, id`,
    [email],
  );
/** Creates a person with a digest that is done up to `last`. */
async function aReader(
  shop: TestClient,
  options: { every?: string; hour?: number; last?: string; locale?: string | null } = {},
) {
  const { every = "day", hour = 8, last = "2026-05-31", locale = null } = options;
  const person = await aPerson(shop, { locale });
  await rowsOf("insert into digests (user_id, client_id, every, hour, last_day) values ($1, $2, $3, $4, $5)", [
    person.id,
    shop.id,
    every,
    hour,
    last,
  ]);
  return person;
}
const work = async (shop: TestClient) => {
  await someProducts(shop.id, [{ id: "sku-1", name: "Lamp" }]);
  await someReviews(shop.id, [
    { created_at: new Date("2026-05-29T10:00:00Z") },
    { created_at: new Date("2026-05-30T10:00:00Z") },
  ]);
};

it("emails subscribers once a day, at their hour, with pending counts and links", async () => {
  const shop = await aClient({ display_name: "Lampor & <Ljus>", config: { time_zone: "Europe/Stockholm" } });
  await work(shop);
  const [reported = ""] = await someReviews(shop.id, [{ accepted: true }]);
  await rowsOf("update reviews set flag_count = 1 where client_id = $1 and id = $2", [shop.id, reported]);
  await someQuestions(shop.id, [{ accepted: true }]);
  const person = await aReader(shop);
  const due = () => listDueDigests([shop.id]);
  expect(await at("2026-06-01T05:59:00", due)).toEqual([]);
  const [digest] = await at("2026-06-01T06:00:00", due);
  expect(digest).toEqual({ user_id: person.id, client_id: shop.id });
  // Three concurrent runs, and another an hour later: one email.
  await at("2026-06-01T06:00:00", () => Promise.all([1, 2, 3].map(() => sendDigests([digest!], "run_1"))));
  expect(await at("2026-06-01T07:00:00", () => sendDigest(digest!))).toBe("not_due");
  const [mail, ...more] = await mailsTo(person.email);
  expect(more).toEqual([]);
  expect(mail.subject).toBe("Lampor & <Ljus>: 2 items to moderate");
  expect(mail.text).toContain("2 reviews");
  expect(mail.text).toContain("The oldest has been pending since 29 May 2026, 12:00.");
  const links = [...mail.text.matchAll(/http\S+\/portal\S*/g)].map(([link]) => new URL(link));
  expect(links.map(({ pathname, searchParams }) => [pathname, Object.fromEntries(searchParams)])).toEqual(
    expect.arrayContaining([
      ["/portal/queue", { client_id: shop.id }],
      ["/portal/questions", { client_id: shop.id, status: "accepted", unreplied: "1" }],
      ["/portal/reviews", { client_id: shop.id, status: "accepted", unreplied: "1" }],
      ["/portal/reviews", { client_id: shop.id, status: "accepted", reported: "1" }],
    ]),
  );
  expect(mail.html).toContain("Lampor &amp; &lt;Ljus&gt;");
  expect(mail.headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
  expect(await at("2026-06-02T06:30:00", () => sendDigest(digest!))).toBe("mailed");
  expect(await mailsTo(person.email)).toHaveLength(2);
});

it("sends nothing if nothing is pending, and doesn't check again that day", async () => {
  const shop = await aClient();
  await someReviews(shop.id, [{ accepted: true }]); // published without a reply: not enough for a digest
  const person = await aReader(shop);
  const digest = { user_id: person.id, client_id: shop.id };
  expect(await at("2026-06-01T09:00:00", () => sendDigest(digest))).toBe("nothing");
  await work(shop);
  expect(await at("2026-06-01T10:00:00", () => sendDigest(digest))).toBe("not_due");
  expect(await at("2026-06-02T10:00:00", () => sendDigest(digest))).toBe("mailed");
});

it("retries a digest on the same day if the process dies", async () => {
  const shop = await aClient();
  await work(shop);
  const person = await aReader(shop);
  const digest = { user_id: person.id, client_id: shop.id };
  await rowsOf(`create function no_mail() returns trigger language plpgsql as $$ begin raise 'gone'; end $$`);
  await rowsOf("create trigger no_mail before insert on outbox for each row execute function no_mail()");
  await expect(at("2026-06-01T09:00:00", () => sendDigests([digest], "run_1"))).rejects.toThrow("1 of 1");
  await rowsOf("drop trigger no_mail on outbox");
  await rowsOf("drop function no_mail");
  expect(await mailsTo(person.email)).toEqual([]);
  expect(await at("2026-06-01T10:00:00", () => sendDigests([digest], "run_1"))).toBe(1);
  // A weekly digest is due on Monday, or later in the week if no run checked.
  const weekly = await aReader(shop, { every: "week", last: "2026-05-27" });
  const week = () => sendDigest({ user_id: weekly.id, client_id: shop.id });
  expect(await at("2026-05-31T09:00:00", week)).toBe("not_due");
  expect(await at("2026-06-03T09:00:00", week)).toBe("mailed");
  expect(await at("2026-06-04T09:00:00", week)).toBe("not_due");
});

it("is in the person's language, else the store's, without unfilled variables", async () => {
  for (const locale of [...languages, null]) {
    const shop = await aClient({ display_name: "Lanterna", locale: "sv_SE" });
    await work(shop);
    await someQuestions(shop.id, [{ accepted: true }]);
    const person = await aReader(shop, { locale });
    await at("2026-06-01T09:00:00", () => sendDigest({ user_id: person.id, client_id: shop.id }));
    const [mail] = await mailsTo(person.email);
    expect(mail.html).toContain(`<html lang="${locale ?? "sv"}"`);
    expect(mail.subject).toMatch(/Lanterna.*2/);
    expect(`${mail.subject}${mail.text}`).not.toMatch(/[{}]|undefined|null/);
  }
});

it("isn't sent to deactivated people, viewers or removed members, or for the operator's queue", async () => {
  const shop = await aClient();
  await work(shop);
  const [gone, away, viewer] = [await aReader(shop), await aReader(shop), await aReader(shop)];
  const viewerHere = await aReader(shop);
  await rowsOf("update users set disabled_at = now() where id = $1", [gone.id]);
  await rowsOf("delete from user_clients where user_id = $1", [away.id]);
  await rowsOf("update users set role = 'viewer' where id = $1", [viewer.id]);
  await rowsOf("update user_clients set role = 'viewer' where user_id = $1", [viewerHere.id]);
  expect(await at("2026-06-01T09:00:00", () => listDueDigests([shop.id]))).toEqual([]);
  for (const { id } of [gone, away, viewer, viewerHere])
    expect(await at("2026-06-01T09:00:00", () => sendDigest({ user_id: id, client_id: shop.id }))).toBe("not_due");
  const managed = await aClient({ own_moderation: false });
  await work(managed);
  const member = await aReader(managed);
  expect(await at("2026-06-01T09:00:00", () => sendDigest({ user_id: member.id, client_id: managed.id }))).toBe(
    "nothing",
  );
});

it("can be turned on, changed and turned off by its person", async () => {
  const shop = await aClient();
  const person = await aPerson(shop);
  const has = () => rowsOf("select every, hour from digests where user_id = $1", [person.id]);
  expect((await set(shop, person.sent, { every: "day", hour: 7 })).status).toBe(204);
  expect((await set(shop, person.sent, { every: "week", hour: 7 })).status).toBe(204);
  expect(await has()).toEqual([{ every: "week", hour: 7 }]);
  expect((await set(shop, person.sent, null)).status).toBe(204);
  expect((await set(shop, person.sent, null)).status).toBe(204);
  expect(await has()).toEqual([]);
  const other = await aClient();
  const answers = [
    await set(shop, await aMember(shop, "viewer"), { every: "day", hour: 7 }),
    await set(other, person.sent, { every: "day", hour: 7 }),
    await set(shop, await aMember(shop), { every: "day", hour: 7 }), // no email address
    await set(shop, person.sent, { every: "month", hour: 7 }),
    await set(shop, person.sent, { every: "day", hour: 24 }),
    await set(shop, { key: shop.key }, { every: "day", hour: 7 }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 422, 422, 422, 401]);
  expect(await rowsOf("select from digests where client_id = any($1)", [[shop.id, other.id]])).toEqual([]);
});

it("ends with a one-click POST without a session; GET shows a page and changes nothing", async () => {
  const shop = await aClient({ locale: "de_DE" });
  await work(shop);
  const person = await aReader(shop);
  await at("2026-06-01T09:00:00", () => sendDigest({ user_id: person.id, client_id: shop.id }));
  const [{ headers }] = await mailsTo(person.email);
  const path = new URL(headers["List-Unsubscribe"].slice(1, -1)).pathname;
  const before = await hashDatabase();
  const page = await call(off, "GET", path, {});
  expect([page.status, page.text]).toEqual([200, expect.stringContaining("Übersichts-E-Mail abbestellen?")]);
  expect(await hashDatabase()).toBe(before);
  for (const _ of [1, 2]) {
    const done = await call(off, "POST", path, {
      body: "List-Unsubscribe=One-Click",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    expect([done.status, done.text]).toEqual([200, expect.stringContaining("Übersichts-E-Mail abbestellt")]);
  }
  expect(await rowsOf("select from digests where user_id = $1", [person.id])).toEqual([]);
  expect((await call(off, "POST", `${path.slice(0, -2)}xx`, {})).status).toBe(404);
});

it("is sent by an hourly job", async () => {
  const shop = await aClient();
  await someReviews(shop.id, [{}]);
  const person = await aReader(shop, { hour: 0, last: "2026-01-01" });
  await runJob("send-digests", { clientIds: [shop.id] });
  await runJob("send-digests", { clientIds: [shop.id] });
  expect(await mailsTo(person.email)).toHaveLength(1);
});

it("of a client with an invalid time zone fails without stopping the others", async () => {
  const [broken, well] = [await aClient(), await aClient()];
  await work(broken);
  await work(well);
  const [one, other] = [await aReader(broken), await aReader(well)];
  await rowsOf(`update clients set config = '{"time_zone": "Mars/Olympus"}' where id = $1`, [broken.id]);
  const due = await at("2026-06-01T09:00:00", () => listDueDigests([broken.id, well.id]));
  expect(due).toContainEqual({ user_id: other.id, client_id: well.id });
  // It fails on its own, so the run reports it.
  await expect(at("2026-06-01T09:00:00", () => sendDigests(due, "run_1"))).rejects.toThrow("1 of 2");
  expect(await mailsTo(other.email)).toHaveLength(1);
  expect(await mailsTo(one.email)).toEqual([]);
  // Once fixed, it is sent the same day.
  await rowsOf("update clients set config = '{}' where id = $1", [broken.id]);
  expect(await at("2026-06-01T10:00:00", () => sendDigests(due, "run_1"))).toBe(1);
  expect(await mailsTo(one.email)).toHaveLength(1);
});
