import { expect, it } from "vitest";
import { systemActor } from "@/lib/accounts/actor";
import { appendEntries } from "@/lib/honesty/append-entries";
import { computeFigures, listOutdatedFigures, readFigures } from "@/lib/honesty/compute-figures";
import { afterLook, bringBiasedReviews } from "@/lib/honesty/fixtures/biased-reviews";
import { readBias } from "@/lib/honesty/list-bias";
import { readHead } from "@/lib/honesty/read-log";
import { withNow } from "@/lib/platform/clock";
import { decideItem } from "@/lib/reviews/decisions/decide-items";
import { upsertReview } from "@/lib/reviews/reviews/upsert-review";
import { aClient, aMember, notificationsOf, rowsOf, type TestClient } from "@/lib/tools/test/factories";
import { totalQueryCost } from "@/lib/tools/test/query-cost";

const bring = async ({ id, client }: TestClient, accepted: boolean | null): Promise<string> => {
  await upsertReview(systemActor, client, {
    author: "Bo",
    score: 2,
    extract: crypto.randomUUID(),
    order: { item: { id: "P-1" } },
    accepted,
  } as Parameters<typeof upsertReview>[2]);
  const [newest] = await rowsOf(
    "select subject_id from moderation_events where client_id = $1 order by id desc limit 1",
    [id],
  );
  return newest?.subject_id;
};
const age = (shop: TestClient, by: string) =>
  rowsOf("update log_figures set as_of = now() - $2::interval where client_id = $1", [shop.id, by]);
const isOutdated = async (shop: TestClient) => (await listOutdatedFigures([shop.id])).includes(shop.id);

it("computes figures with the head that they belong to, and again once the log has grown and some time has passed", async () => {
  const shop = await aClient();
  expect(await isOutdated(shop)).toBe(false);
  await bring(shop, true);
  const pending = await bring(shop, null);
  await appendEntries();
  expect(await isOutdated(shop)).toBe(true);
  const first = await readFigures(shop.id);
  const head = await readHead(shop.id);
  expect(first).toMatchObject({ size: head?.size, checkpoint: head?.checkpoint });
  expect(first.figures).toMatchObject({
    size: head?.size,
    reviews: { published: { total: 1 }, pending: { total: 1 } },
  });
  expect(await isOutdated(shop)).toBe(false);

  await decideItem({ kind: "user", id: "usr_1" }, shop.client, "review", pending, { accepted: true });
  await appendEntries();
  expect(await isOutdated(shop)).toBe(false);
  await age(shop, "10 minutes");
  expect(await isOutdated(shop)).toBe(true);
  expect((await readFigures(shop.id)).figures).toEqual(first.figures);
  await computeFigures(shop.id);
  expect((await readFigures(shop.id)).figures.reviews.published.total).toBe(2);
});

it("computes figures again after a day in which pending reviews got older", async () => {
  const shop = await aClient();
  const id = await bring(shop, null);
  await appendEntries();
  await computeFigures(shop.id);
  await age(shop, "25 hours");
  expect(await isOutdated(shop)).toBe(true);
  await decideItem({ kind: "user", id: "usr_1" }, shop.client, "review", id, { accepted: true });
  await appendEntries();
  await computeFigures(shop.id);
  // Not before the week, with which reviews are compared again.
  await rowsOf(
    "update log_figures set as_of = greatest(now() - interval '25 hours', date_trunc('week', now(), 'UTC')) where client_id = $1",
    [shop.id],
  );
  expect(await isOutdated(shop)).toBe(false);
  await age(shop, "8 days");
  expect(await isOutdated(shop)).toBe(true);
});

it("gives a store without a log the figures of an empty one", async () => {
  const { figures, size } = await readFigures("nobody");
  expect([size, figures.size, figures.began_at, figures.reviews.received.total]).toEqual([0, 0, null, 0]);
});

it("reads no orders for a store without a log", async () => {
  const shop = await aClient();
  const { tables } = await totalQueryCost(() => readFigures(shop.id));
  expect(Object.keys(tables)).not.toEqual(expect.arrayContaining(["order_items"]));
  expect(Object.keys(tables)).toContain("log_figures");
});

it("notifies the store's admins and operators once of what depends on stars, and makes it public after 30 days", async () => {
  const shop = await aClient();
  const admin = await aMember(shop, "admin");
  const moderator = await aMember(shop, "moderator");
  await bringBiasedReviews(shop);
  await computeFigures(shop.id);
  expect(await notificationsOf(shop.id)).toEqual([]);

  const found = await withNow(afterLook(), () => computeFigures(shop.id));
  expect(found.findings).toMatchObject([
    { question: "published", low: { reviews: 24, count: 0 }, high: { reviews: 30, count: 30 } },
  ]);
  expect(found.figures.bias).toEqual([]);
  const notified = async () =>
    (
      await rowsOf(
        "select u.username, u.role, n.count from notifications n join users u on u.id = n.user_id where n.client_id = $1 and n.kind = 'bias_found'",
        [shop.id],
      )
    ).map(({ username, role, count }) => [role === "operator" ? role : username, count]);
  expect(await notified()).toContainEqual([admin.name, 1]);
  expect(await notified()).not.toContainEqual([moderator.name, 1]);

  // The same finding a week later, and longer.
  await withNow(afterLook(7), () => computeFigures(shop.id));
  const lasting = await withNow(afterLook(30), () => computeFigures(shop.id));
  expect(lasting.figures.bias).toEqual(lasting.findings);
  expect(lasting.findings[0]?.since).toBe(found.findings[0]?.since);
  expect((await readFigures(shop.id)).findings).toEqual(lasting.findings);
  expect(await notified()).toContainEqual([admin.name, 1]);
});

it("knows of stores that have received too few reviews to compare", async () => {
  const [shop, none, few] = [await aClient(), await aClient(), await aClient()];
  await bringBiasedReviews(shop);
  await bring(few, true);
  await appendEntries();
  for (const { id } of [shop, few]) await computeFigures(id);
  expect(await readBias(shop.id)).toMatchObject({ isTooFew: false });
  expect(await readBias(none.id)).toMatchObject({ isTooFew: true });
  expect(await readBias(few.id)).toMatchObject({ isTooFew: true });
});

it("computes figures again when a week begins, with which reviews are compared", async () => {
  const shop = await aClient();
  await bring(shop, true);
  await appendEntries();
  await computeFigures(shop.id);
  expect(await isOutdated(shop)).toBe(false);
  await age(shop, "8 days");
  expect(await isOutdated(shop)).toBe(true);
});

it("keeps what the last look found about invitations until the next look", async () => {
  const shop = await aClient();
  await bring(shop, true);
  await appendEntries();
  const { findings } = await computeFigures(shop.id);
  expect(findings).toEqual([]);
  const group = { reviews: 40, count: 40, median: null };
  const times = { since: "2026-01-05T00:00:00Z", until: "2026-01-05T00:00:00Z", from: "2025-07-09T00:00:00Z" };
  const invited = ["invited", "invited_value", "invited_returns"].map((question) => ({
    ...{ question, ...times, low: { ...group, count: 0 }, high: group, p: 1e-20 },
  }));
  await rowsOf("update log_figures set findings = $2 where client_id = $1", [shop.id, JSON.stringify(invited)]);
  expect((await computeFigures(shop.id)).findings).toEqual(invited);
  // The next look reads the store's orders, of which there are none.
  expect((await withNow(afterLook(), () => computeFigures(shop.id))).findings).toEqual([]);
});
