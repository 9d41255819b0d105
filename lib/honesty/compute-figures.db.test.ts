import { expect, it } from "vitest";
import { systemActor } from "@/lib/accounts/actor";
import { appendEntries } from "@/lib/honesty/append-entries";
import { computeFigures, listOutdatedFigures, readFigures } from "@/lib/honesty/compute-figures";
import { readHead } from "@/lib/honesty/read-log";
import { decideItem } from "@/lib/reviews/decisions/decide-items";
import { upsertReview } from "@/lib/reviews/reviews/upsert-review";
import { aClient, rowsOf, type TestClient } from "@/lib/tools/test/factories";

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
  await age(shop, "25 hours");
  expect(await isOutdated(shop)).toBe(false);
});

it("gives a store without a log the figures of an empty one", async () => {
  const { figures, size } = await readFigures("nobody");
  expect([size, figures.size, figures.began_at, figures.reviews.received.total]).toEqual([0, 0, null, 0]);
});
