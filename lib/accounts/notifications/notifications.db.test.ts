import { expect, it } from "vitest";
import * as settingsRoute from "@/app/portal/api/v1/account/notifications/route";
import * as readRoute from "@/app/portal/api/v1/notifications/[id]/read/route";
import * as countRoute from "@/app/portal/api/v1/notifications/count/route";
import * as readAllRoute from "@/app/portal/api/v1/notifications/read/route";
import * as listRoute from "@/app/portal/api/v1/notifications/route";
import { recordFailedJob } from "@/lib/accounts/notifications/record-failed-job";
import { withNow } from "@/lib/platform/clock";
import { transaction } from "@/lib/platform/db/pool";
import type { AssignableRole, Role } from "@/lib/platform/http/contract";
import { languages } from "@/lib/platform/i18n/languages";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import { aClient, aUser, rowsOf, sessionHeaders, type TestClient, uniqueName } from "@/lib/tools/test/factories";
import { listPeopleToEmail, mailNotifications, mailNotificationsTo } from "./mail-notifications";
import { type NewNotification, notify } from "./notify";
import { purgeNotifications } from "./purge-notifications";

type Access = { clients?: string[]; roles?: Record<string, AssignableRole>; locale?: string };

/** A person with an email address; `sent` authenticates requests. */
async function aPerson(shop: TestClient, role: Role = "admin", { clients, roles, locale }: Access = {}) {
  const access =
    role === "operator" ? {} : { accountId: shop.accountId, clients: clients ?? [shop.id], ...(roles && { roles }) };
  const user = await aUser(role, access);
  const email = `${uniqueName("no")}@shop.example`;
  const [{ id }] = await rowsOf(
    "update users set email = $2, email_key = $2, locale = $3 where username = $1 returning id",
    [user.username, email, locale ?? null],
  );
  return { id: id as string, email, sent: { headers: await sessionHeaders(user) } as RequestOptions };
}
type Person = Awaited<ReturnType<typeof aPerson>>;

const feedFailed = (shop: TestClient, given: Partial<NewNotification> = {}): NewNotification =>
  ({
    clientId: shop.id,
    to: { role: "admin" },
    kind: "feed_failed",
    params: { url: "https://shop.example/feed.xml" },
    path: "/portal/feeds",
    dedupeKey: "feed_failed:1",
    ...given,
  }) as NewNotification;
const mention = (shop: TestClient, userIds: string[]): NewNotification => ({
  clientId: shop.id,
  to: { userIds },
  kind: "mention",
  params: { name: "Ada" },
  path: "/portal/queue?status=all",
  dedupeKey: uniqueName("note"),
});
const send = (...notifications: NewNotification[]) => transaction((db) => notify(db, ...notifications));
const list = async ({ sent }: Person, query = "") => {
  const { status, json } = await call(listRoute, "GET", `/portal/api/v1/notifications${query}`, sent);
  expect(status).toBe(200);
  return json;
};
const count = async ({ sent }: Person) =>
  (await call(countRoute, "GET", "/portal/api/v1/notifications/count", sent)).json.data.count as number;
const read = ({ sent }: Person, id: string) => call(readRoute, "POST", `/portal/api/v1/notifications/${id}/read`, sent);
const readAll = ({ sent }: Person, upTo: string) =>
  call(readAllRoute, "POST", "/portal/api/v1/notifications/read", { ...sent, body: { up_to: upTo } });
const set = ({ sent }: Person, ...settings: object[]) =>
  call(settingsRoute, "PUT", "/portal/api/v1/account/notifications", { ...sent, body: { settings } });
const rowsFor = ({ id }: Person) =>
  rowsOf("select kind, count, read_at, emailed_at from notifications where user_id = $1 order by id", [id]);
const at = <T>(time: string, work: () => Promise<T>) => withNow(new Date(`${time}Z`), work);
const mailsTo = ({ email }: Person) =>
  rowsOf(`select id, subject, html, text, kind from mails where "to" = $1 order by created_at, id`, [email]);
const byEmail = { kind: "feed_failed", portal: true, email: true };

it("notifies everyone with the role at the store, and no one else", async () => {
  const [shop, other] = [await aClient(), await aClient()];
  const both = [shop.id, other.id];
  const admin = await aPerson(shop);
  const adminHere = await aPerson(shop, "viewer", { clients: both, roles: { [shop.id]: "admin" } });
  const viewerHere = await aPerson(shop, "admin", { clients: both, roles: { [shop.id]: "viewer" } });
  const moderator = await aPerson(shop, "moderator");
  const operator = await aPerson(shop, "operator");
  const disabled = await aPerson(shop);
  const elsewhere = await aPerson(other);
  const whole = await aPerson(shop, "admin", { clients: [] });
  await rowsOf("update users set all_clients = true where id = $1", [whole.id]);
  await rowsOf("update users set disabled_at = now() where id = $1", [disabled.id]);
  await send(feedFailed(shop));
  for (const person of [admin, adminHere, whole])
    expect(await rowsFor(person)).toMatchObject([{ kind: "feed_failed" }]);
  for (const person of [viewerHere, moderator, operator, disabled, elsewhere])
    expect(await rowsFor(person)).toEqual([]);
  const { data } = await list(admin);
  expect(data).toEqual([
    {
      id: expect.any(String),
      kind: "feed_failed",
      params: { url: "https://shop.example/feed.xml" },
      client_id: shop.id,
      client_name: shop.client.display_name,
      path: `/portal/feeds?client_id=${shop.id}`,
      count: 1,
      created_at: expect.any(String),
      again_at: data[0].again_at,
      read_at: null,
    },
  ]);
  // Named people get it only with access to the store.
  await send(mention(shop, [moderator.id, elsewhere.id, operator.id, "usr_unknown"]));
  expect([await count(moderator), await count(elsewhere), await count(operator)]).toEqual([1, 0, 1]);
  expect((await list(moderator)).data[0].path).toBe(`/portal/queue?status=all&client_id=${shop.id}`);
});

it("counts what happens again in the unread notification, also of several at once", async () => {
  const shop = await aClient();
  const people = [await aPerson(shop), await aPerson(shop)] as const;
  await Promise.all(Array.from({ length: 6 }, () => send(feedFailed(shop))));
  for (const person of people) expect(await rowsFor(person)).toMatchObject([{ count: 6 }]);
  const [{ id }] = (await list(people[0])).data;
  expect((await read(people[0], id)).status).toBe(204);
  // What keeps failing doesn't notify those again who know it.
  await send(feedFailed(shop, { isRepeat: true }));
  expect(await rowsFor(people[0])).toMatchObject([{ count: 6 }]);
  expect(await rowsFor(people[1])).toMatchObject([{ count: 7 }]);
  await send(feedFailed(shop));
  expect(await rowsFor(people[0])).toMatchObject([{ count: 6 }, { count: 1, read_at: null }]);
});

it("is quiet for a while after the last time, even if that was read", async () => {
  const shop = await aClient();
  const person = await aPerson(shop);
  const daily = () => send(feedFailed(shop, { quietHours: 23 }));
  await at("2026-06-01T10:00:00", daily);
  await at("2026-06-02T08:59:00", daily);
  expect(await rowsFor(person)).toMatchObject([{ count: 1 }]);
  await at("2026-06-02T09:00:30", daily);
  expect(await rowsFor(person)).toMatchObject([{ count: 2 }]);
  await readAll(person, "2026-06-02T09:00:30Z");
  await at("2026-06-02T12:00:00", daily);
  expect(await rowsFor(person)).toHaveLength(1);
  await at("2026-06-03T10:00:00", daily);
  expect(await rowsFor(person)).toHaveLength(2);
});

it("belongs to its person", async () => {
  const shop = await aClient();
  const [person, other] = [await aPerson(shop), await aPerson(shop, "moderator")];
  await send(feedFailed(shop), mention(shop, [person.id]));
  const { data } = await list(person);
  expect(data.map(({ kind }: { kind: string }) => kind).sort()).toEqual(["feed_failed", "mention"]);
  expect((await list(other)).data).toEqual([]);
  for (const id of [data[0].id, "0", "x", "99999999999999999999"]) expect((await read(other, id)).status).toBe(404);
  await readAll(other, data[0].again_at);
  expect(await count(person)).toBe(2);
  expect((await readAll(person, data[0].again_at)).status).toBe(204);
  expect(await count(person)).toBe(0);
  for (const wrong of ["1 or true", "7", "2026-06-31"]) expect((await readAll(person, wrong)).status).toBe(422);
});

it("marks all as read that the person has seen, but nothing that happened after that", async () => {
  const shop = await aClient();
  const person = await aPerson(shop);
  await at("2026-06-01T10:00:00.100", () => send(feedFailed(shop)));
  await at("2026-06-01T10:01:00.200", () => send(mention(shop, [person.id])));
  await at("2026-06-01T10:02:00.300", () => send(feedFailed(shop, { dedupeKey: "feed_failed:2" })));
  const { data } = await list(person);
  // The oldest happens again, and there is a new one.
  await at("2026-06-01T10:03:00", () => send(feedFailed(shop)));
  await at("2026-06-01T10:04:00", () => send(mention(shop, [person.id])));
  expect((await readAll(person, data[0].again_at)).status).toBe(204);
  expect(await count(person)).toBe(2);
  expect((await list(person, "?unread=1")).data).toMatchObject([
    { kind: "mention", count: 1 },
    { kind: "feed_failed", count: 2, again_at: "2026-06-01T10:03:00Z" },
  ]);
  expect((await list(person)).data).toHaveLength(4);
});

it("pages through all of them, newest first", async () => {
  const shop = await aClient();
  const person = await aPerson(shop);
  for (let n = 0; n < 45; n += 1) await send(mention(shop, [person.id]));
  const ids: string[] = [];
  let next: string | undefined = "http://localhost/portal/api/v1/notifications?unread=1";
  for (; next; ) {
    const page: { data: { id: string }[]; links: { next?: string } } = await list(person, new URL(next).search);
    ids.push(...page.data.map(({ id }) => id));
    next = page.links.next;
  }
  expect(ids).toHaveLength(45);
  expect(ids).toEqual(ids.toSorted((a, b) => Number(b) - Number(a)));
  const bad = await call(listRoute, "GET", "/portal/api/v1/notifications?after=nonsense", person.sent);
  expect([bad.status, bad.json.errors[0].code]).toEqual([400, "invalid_cursor"]);
});

it("is hidden without access to its store, and deleted with the store or the person", async () => {
  const shop = await aClient();
  const [person, second] = [await aPerson(shop), await aPerson(shop)];
  await send(feedFailed(shop));
  const [{ id }] = (await list(person)).data;
  await rowsOf("update user_clients set role = 'moderator' where user_id = $1", [person.id]);
  expect([await count(person), (await read(person, id)).status]).toEqual([0, 404]);
  await rowsOf("update user_clients set role = null where user_id = $1", [person.id]);
  expect(await count(person)).toBe(1);
  await rowsOf("delete from user_clients where user_id = $1", [person.id]);
  expect([await count(person), (await list(person)).data, (await read(person, id)).status]).toEqual([0, [], 404]);
  await rowsOf("delete from users where id = $1", [person.id]);
  expect(await rowsFor(person)).toEqual([]);
  expect(await rowsFor(second)).toHaveLength(1);
  await rowsOf("delete from clients where id = $1", [shop.id]);
  expect(await rowsFor(second)).toEqual([]);
});

it("respects what each person turned off", async () => {
  const shop = await aClient();
  const [off, mailOnly, usual] = [await aPerson(shop), await aPerson(shop), await aPerson(shop)];
  expect((await set(off, { kind: "feed_failed", portal: false, email: false })).status).toBe(204);
  expect((await set(mailOnly, { kind: "feed_failed", portal: false, email: true })).status).toBe(204);
  await send(feedFailed(shop));
  expect(await rowsFor(off)).toEqual([]);
  expect([await count(mailOnly), (await list(mailOnly)).data, (await rowsFor(mailOnly)).length]).toEqual([0, [], 1]);
  expect(await count(usual)).toBe(1);
  // Turned off later, those it has are hidden.
  await set(usual, { kind: "feed_failed", portal: false, email: false });
  expect(await count(usual)).toBe(0);
  const { json } = await call(settingsRoute, "GET", "/portal/api/v1/account/notifications", mailOnly.sent);
  expect(json.data).toContainEqual({ kind: "feed_failed", portal: false, email: true });
  expect(json.data).toContainEqual({ kind: "webhook_disabled", portal: true, email: true });
  expect(json.data).toContainEqual({ kind: "mention", portal: true, email: false });
});

it("rejects settings that have no effect, and changes nothing", async () => {
  const shop = await aClient();
  const person = await aPerson(shop);
  const fine = { kind: "mention", portal: false, email: false };
  const always = await set(person, fine, { kind: "webhook_disabled", portal: true, email: false });
  expect([always.status, always.json.errors[0].field, always.json.errors[0].reason]).toEqual([
    422,
    "settings[1].email",
    "email_always_sent",
  ]);
  await rowsOf("update users set email = null, email_key = null where id = $1", [person.id]);
  const unreachable = await set(person, fine, byEmail);
  expect(unreachable.json.errors[0]).toMatchObject({ field: "settings[1].email", reason: "own_email_missing" });
  for (const settings of [[], [{ kind: "unknown", portal: true, email: false }], [{ kind: "mention", portal: 1 }]])
    expect((await set(person, ...settings)).status).toBe(422);
  expect(await rowsOf("select from notification_settings where user_id = $1", [person.id])).toEqual([]);
  const demo = await aPerson(shop);
  await rowsOf("update users set demo = true where id = $1", [demo.id]);
  expect((await set(demo, fine)).status).toBe(403);
  expect((await set(person, fine, { ...fine, portal: true })).status).toBe(204);
  await Promise.all([set(person, fine), set(person, fine)]);
  expect(await rowsOf("select portal, email from notification_settings where user_id = $1", [person.id])).toEqual([
    { portal: false, email: false },
  ]);
});

it("emails at most once an hour, all that is unread, in one email", async () => {
  const shop = await aClient({ display_name: "Lampor & <Ljus>" });
  const person = await aPerson(shop);
  await set(person, byEmail, { kind: "mention", portal: true, email: true });
  const mail = () => mailNotifications(person.id);
  await at("2026-06-01T10:00:00", () => send(feedFailed(shop)));
  const due = await rowsOf("select data from outbox where name = 'notification/due' and data->>'user_id' = $1", [
    person.id,
  ]);
  expect(due).toEqual([{ data: { user_id: person.id } }]);
  // Two at once, and a repetition: one email.
  expect((await at("2026-06-01T10:00:01", () => Promise.all([mail(), mail(), mail()]))).sort()).toEqual([
    "mailed",
    "nothing",
    "nothing",
  ]);
  const [first, ...more] = await mailsTo(person);
  expect(more).toEqual([]);
  expect(first).toMatchObject({
    kind: "notifications",
    subject: "Lampor & <Ljus>: Feed import failed: https://shop.example/feed.xml",
  });
  expect(first.html).toContain("Lampor &amp; &lt;Ljus&gt;");
  const links = [...first.text.matchAll(/http\S+\/portal\S*/g)].map(([link]) => new URL(link));
  expect(links.map(({ pathname, search, hash }) => pathname + search + hash)).toEqual([
    `/portal/feeds?client_id=${shop.id}`,
    "/portal/notifications",
    "/portal/account#notifications",
  ]);
  // It happens again: it was emailed, and is still unread.
  await at("2026-06-01T10:05:00", () => send(feedFailed(shop)));
  await at("2026-06-01T10:10:00", () => send(mention(shop, [person.id]), mention(shop, [person.id])));
  await at("2026-06-01T10:20:00", () => send(feedFailed(shop, { dedupeKey: "feed_failed:2" })));
  const [, , , { id: seen }] = (await list(person)).data;
  expect((await read(person, seen)).status).toBe(204);
  expect(await at("2026-06-01T10:59:00", mail)).toBe("nothing");
  expect(await at("2026-06-01T10:59:00", listPeopleToEmail)).not.toContain(person.id);
  expect(await at("2026-06-01T11:00:30", listPeopleToEmail)).toContain(person.id);
  expect(await at("2026-06-01T11:00:30", () => mailNotificationsTo([person.id, "usr_unknown"]))).toBe(1);
  const [, second] = await mailsTo(person);
  expect(second.subject).toBe("3 new notifications");
  expect(await at("2026-06-01T13:00:00", mail)).toBe("nothing");
  expect(await mailsTo(person)).toHaveLength(2);
});

it("emails nothing that was read, turned off or withdrawn, and nobody who is gone", async () => {
  const shop = await aClient();
  const people: Person[] = [];
  for (let n = 0; n < 6; n += 1) people.push(await aPerson(shop));
  const [reader, off, away, gone, unreachable, still] = people as [Person, Person, Person, Person, Person, Person];
  for (const person of people) await set(person, byEmail);
  await send(feedFailed(shop));
  await read(reader, (await list(reader)).data[0].id);
  await set(off, { ...byEmail, email: false });
  await rowsOf("delete from user_clients where user_id = $1", [away.id]);
  await rowsOf("update users set disabled_at = now() where id = $1", [gone.id]);
  await rowsOf("update users set email = null where id = $1", [unreachable.id]);
  const due = await listPeopleToEmail();
  expect(people.filter(({ id }) => due.includes(id))).toEqual([still]);
  for (const { id } of people) expect(await mailNotifications(id)).toBe(id === still.id ? "mailed" : "nothing");
  for (const person of people) expect(await mailsTo(person)).toHaveLength(person === still ? 1 : 0);
});

it("emails those who turned it off in the portal whenever it happens again", async () => {
  const shop = await aClient();
  const person = await aPerson(shop);
  await set(person, { ...byEmail, portal: false });
  const mail = () => mailNotifications(person.id);
  await at("2026-06-01T10:00:00", () => send(feedFailed(shop)));
  expect(await at("2026-06-01T10:00:01", mail)).toBe("mailed");
  // It keeps failing, then fails anew.
  await at("2026-06-01T11:30:00", () => send(feedFailed(shop, { isRepeat: true })));
  expect(await at("2026-06-01T12:00:00", mail)).toBe("nothing");
  await at("2026-06-01T12:30:00", () => send(feedFailed(shop)));
  expect(await at("2026-06-01T12:31:00", mail)).toBe("mailed");
  expect(await mailsTo(person)).toHaveLength(2);
});

it("emails what happens again a day later, and at once if the portal no longer shows it", async () => {
  const shop = await aClient();
  const person = await aPerson(shop);
  await set(person, byEmail);
  const mail = () => mailNotifications(person.id);
  await at("2026-06-01T10:00:00", () => send(feedFailed(shop)));
  expect(await at("2026-06-01T10:00:01", mail)).toBe("mailed");
  await at("2026-06-01T15:00:00", () => send(feedFailed(shop)));
  expect(await at("2026-06-01T15:00:01", mail)).toBe("nothing");
  await at("2026-06-02T10:00:00", () => send(feedFailed(shop)));
  expect(await at("2026-06-02T10:00:01", mail)).toBe("mailed");
  await at("2026-06-02T11:00:00", () => set(person, { ...byEmail, portal: false }));
  await at("2026-06-02T12:00:00", () => send(feedFailed(shop)));
  expect(await at("2026-06-02T12:00:01", mail)).toBe("mailed");
  expect(await mailsTo(person)).toHaveLength(3);
});

it("emails all of it later if the process dies in between", async () => {
  const shop = await aClient();
  const person = await aPerson(shop);
  await set(person, byEmail);
  await send(feedFailed(shop));
  await rowsOf("create function no_mail() returns trigger language plpgsql as $$ begin raise 'gone'; end $$");
  await rowsOf("create trigger no_mail before insert on outbox for each row execute function no_mail()");
  await expect(mailNotificationsTo([person.id])).rejects.toThrow("1 of 1");
  await rowsOf("drop trigger no_mail on outbox");
  await rowsOf("drop function no_mail");
  expect([await mailsTo(person), await rowsFor(person)]).toMatchObject([[], [{ emailed_at: null }]]);
  expect(await mailNotificationsTo([person.id])).toBe(1);
  expect(await mailNotificationsTo([person.id])).toBe(0);
  expect(await mailsTo(person)).toHaveLength(1);
});

it("is emailed in the person's language, else the store's, without unfilled variables", async () => {
  const every: NewNotification["kind"][] = [
    ...["feed_failed", "integration_stopped", "webhook_disabled", "emails_failed", "job_failed"],
    ...["bias_found", "moderation_overdue", "import_done", "import_failed", "mention"],
  ] as never;
  const params = { url: "URL", integration: "commerce", hours: 48, file: "a.csv", name: "Ada" };
  for (const locale of [...languages, undefined]) {
    const shop = await aClient({ display_name: "Lanterna", locale: "sv_SE" });
    const person = await aPerson(shop, "admin", locale === undefined ? {} : { locale });
    for (const kind of every) await set(person, { kind, portal: true, email: true });
    const all = every.map((kind) => feedFailed(shop, { kind, params, dedupeKey: kind } as never));
    await send(...all);
    expect(await mailNotifications(person.id)).toBe("mailed");
    const [mail] = await mailsTo(person);
    expect(mail.html).toContain(`<html lang="${locale ?? "sv"}"`);
    // A disabled webhook has its own email.
    expect(mail.subject).toContain("9");
    expect(`${mail.subject}${mail.text}`).not.toMatch(/[{}]|undefined|null|notifications\./);
  }
});

it("tells operators of jobs that start failing, and admins of those of their store", async () => {
  const shop = await aClient();
  const [admin, operator] = [await aPerson(shop), await aPerson(shop, "operator")];
  const subject = { job: "claim-invitations", clientId: shop.id };
  await recordFailedJob(subject, "run_1");
  await recordFailedJob(subject, "run_2");
  expect(await rowsFor(admin)).toMatchObject([{ kind: "job_failed", count: 2 }]);
  const [seen] = (await list(operator)).data;
  expect(seen).toMatchObject({ kind: "job_failed", count: 2, client_id: null, path: "/portal/failures?kind=jobs" });
  await read(operator, seen.id);
  await recordFailedJob(subject, "run_3");
  await recordFailedJob({ job: "claim-invitations", clientId: "unknown" }, "run_4");
  expect(await count(operator)).toBe(0);
  await recordFailedJob({ job: uniqueName("clean-up"), clientId: null }, "run_5");
  expect([await count(operator), await count(admin)]).toEqual([1, 1]);
  // A former operator no longer sees what concerns the installation.
  await rowsOf("update users set role = 'admin' where id = $1", [operator.id]);
  expect(await count(operator)).toBe(0);
});

it("is deleted after 90 days", async () => {
  const shop = await aClient();
  const person = await aPerson(shop);
  await send(mention(shop, [person.id]), mention(shop, [person.id]));
  const [{ id }] = (await list(person)).data;
  await rowsOf("update notifications set again_at = now() - interval '91 days' where id = $1", [id]);
  expect(await purgeNotifications()).toBeGreaterThanOrEqual(1);
  expect(await rowsFor(person)).toHaveLength(1);
});
