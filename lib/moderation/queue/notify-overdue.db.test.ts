import { expect, it } from "vitest";
import { runJob } from "@/inngest/jobs";
import { notifyFailedEmails } from "@/lib/insights/home/notify-failed-emails";
import { withNow } from "@/lib/platform/clock";
import { queueMail } from "@/lib/platform/mail/queue-mail";
import { aClient, aUser, notificationsOf, rowsOf, someReviews, type TestClient } from "@/lib/tools/test/factories";
import { notifyOverdue } from "./notify-overdue";

const at = <T>(time: string, work: () => Promise<T>) => withNow(new Date(`${time}Z`), work);
const pendingSince = (shop: TestClient, time: string) =>
  someReviews(shop.id, [{ created_at: new Date(`${time}Z`) }, { created_at: new Date(`${time}Z`), accepted: true }]);
const aModerator = async (shop: TestClient) => {
  const { username } = await aUser("moderator", { accountId: shop.accountId, clients: [shop.id] });
  const [{ id }] = await rowsOf("select id from users where username = $1", [username]);
  return id as string;
};

it("notifies moderators of items pending for more than two days, once a day", async () => {
  const shop = await aClient();
  const moderator = await aModerator(shop);
  await aUser("viewer", { accountId: shop.accountId, clients: [shop.id] });
  const [first = ""] = await pendingSince(shop, "2026-06-01T10:00:00");
  const check = () => notifyOverdue([shop.id]);
  expect(await at("2026-06-03T09:59:00", check)).toBe(0);
  expect(await notificationsOf(shop.id)).toEqual([]);
  const overdue = {
    kind: "moderation_overdue",
    params: { hours: 48 },
    path: "/portal/queue",
    count: 1,
    user_id: moderator,
  };
  await at("2026-06-03T10:01:00", () => Promise.all([check(), check()]));
  await at("2026-06-03T11:01:00", check);
  expect(await notificationsOf(shop.id)).toEqual([overdue]);
  await at("2026-06-04T10:01:00", check);
  expect(await notificationsOf(shop.id)).toEqual([{ ...overdue, count: 2 }]);
  await rowsOf("update notifications set read_at = now() where client_id = $1", [shop.id]);
  await at("2026-06-04T12:00:00", check);
  expect(await notificationsOf(shop.id)).toHaveLength(1);
  await rowsOf("update reviews set accepted = true, accepted_at = now() where client_id = $1 and id = $2", [
    shop.id,
    first,
  ]);
  expect(await at("2026-06-06T10:01:00", check)).toBe(0);
  expect(await notificationsOf(shop.id)).toHaveLength(1);
});

it("leaves out items that await verification", async () => {
  const shop = await aClient({ require_verification: true });
  await aModerator(shop);
  const [id = ""] = await pendingSince(shop, "2026-06-01T10:00:00");
  await rowsOf("update reviews set verification = 'mailed' where client_id = $1 and id = $2", [shop.id, id]);
  expect(await at("2026-06-08T10:00:00", () => notifyOverdue([shop.id]))).toBe(0);
});

it("notifies operators, in one notification, of the stores that leave moderation to them", async () => {
  const shops = [await aClient({ own_moderation: false }), await aClient({ own_moderation: false })];
  for (const shop of shops) {
    await aModerator(shop);
    await pendingSince(shop, "2026-06-01T10:00:00");
  }
  const { username } = await aUser("operator");
  await at("2026-06-08T10:00:00", () => notifyOverdue(shops.map(({ id }) => id)));
  for (const { id } of shops) expect(await notificationsOf(id)).toEqual([]);
  expect(
    await rowsOf(
      "select client_id, params, path from notifications where user_id = (select id from users where username = $1)",
      [username],
    ),
  ).toEqual([{ client_id: null, params: { hours: 48, stores: 2 }, path: "/portal" }]);
});

it("notifies admins of emails that failed, once", async () => {
  const shop = await aClient();
  await aModerator(shop);
  const { username } = await aUser("admin", { accountId: shop.accountId, clients: [shop.id] });
  const fail = (idempotencyKey: string) =>
    queueMail({
      ...{ idempotencyKey: `${shop.id}:${idempotencyKey}`, clientId: shop.id, kind: "answer", to: "ada@example.org" },
      ...{ from: "shop@example.org", replyTo: null, subject: "Hello", html: null, text: "Hello" },
    }).then((id) => rowsOf("update mails set status = 'failed' where id = $1", [id]));
  const check = () => notifyFailedEmails([shop.id]);
  expect(await at("2026-06-01T10:00:00", check)).toBe(0);
  await at("2026-06-01T10:00:00", () => fail("first"));
  for (const hour of ["11", "12", "23"]) await at(`2026-06-01T${hour}:00:00`, check);
  const notifications = await notificationsOf(shop.id);
  expect(notifications).toMatchObject([{ kind: "emails_failed", path: "/portal/failures?kind=mails", count: 1 }]);
  expect(await rowsOf("select username from users where id = $1", [notifications[0].user_id])).toEqual([{ username }]);
  await at("2026-06-02T11:00:00", check);
  expect(await notificationsOf(shop.id)).toMatchObject([{ count: 1 }]);
  await at("2026-06-02T12:00:00", () => fail("second"));
  await at("2026-06-02T12:30:00", check);
  expect(await notificationsOf(shop.id)).toMatchObject([{ count: 2 }]);
});

it("runs as jobs", async () => {
  const shop = await aClient();
  const moderator = await aModerator(shop);
  await pendingSince(shop, "2026-01-01T10:00:00");
  await rowsOf(
    "update users set email = username || '@shop.example', email_key = username || '@shop.example' where id = $1",
    [moderator],
  );
  await rowsOf("insert into notification_settings values ($1, 'moderation_overdue', true, true)", [moderator]);
  const { runs } = await runJob("notify-overdue", { clientIds: [shop.id] });
  expect(runs.map((run) => [run.function, run.status])).toEqual(
    expect.arrayContaining([
      ["notify-overdue", "done"],
      ["mail-notifications", "done"],
    ]),
  );
  // It was emailed right away.
  expect((await runJob("mail-pending-notifications")).runs).toMatchObject([{ status: "done" }]);
  expect(
    await rowsOf(
      "select from mails where kind = 'notifications' and \"to\" = (select email from users where id = $1)",
      [moderator],
    ),
  ).toHaveLength(1);
});
