import { beforeAll, describe, expect, it } from "vitest";
import * as feedback from "@/app/collect/feedback/[token]/route";
import * as image from "@/app/images/[key]/[file]/route";
import * as display from "@/app/onpage/[client_id]/reviews.json/route";
import { POST as uploadImage } from "@/app/uploader/route";
import * as one from "@/app/v1/reviews/[id]/route";
import * as reviews from "@/app/v1/reviews/route";
import { verifySummaries } from "@/lib/catalog/summaries/verify-summaries";
import { readFile } from "@/lib/platform/storage/files";
import { folderOf } from "@/lib/reviews/uploads/image-objects";
import { removeUnclaimedUploads } from "@/lib/reviews/uploads/remove-unclaimed-uploads";
import { call, pathOf } from "@/lib/tools/test/call";
import { aPicture } from "@/lib/tools/test/collection-rows";
import { aClient, aKey, aUser, referenceOf, rowsOf, someProducts, type TestClient } from "@/lib/tools/test/factories";
import { expectIssues } from "@/lib/tools/test/lists";

let shop: TestClient;
beforeAll(async () => {
  shop = await aClient();
  await someProducts(shop.id, [{ id: "lamp", family_id: "lamps" }]);
});

const remove = (id: string, sent: Parameters<typeof call>[3] = { key: shop.key }) =>
  call(one, "DELETE", `/v1/reviews/${id}`, sent);
async function postReview(more: Record<string, unknown> = {}) {
  const review = { order: { item: { id: "lamp" } }, author: "Ada", score: 4, ...more };
  const { json } = await call(reviews, "POST", "/v1/reviews", { key: shop.key, body: { review } });
  return json.data;
}
const anUpload = () => aPicture(uploadImage, shop);
/** Counts the rows of all tables that refer to the review. */
const countRelatedRows = async (id: string) => {
  const tables = "reviews votes flags responses moderation_findings action_links uploads".split(" ");
  const found = await Promise.all(
    tables.map(async (table) => [
      table,
      (await rowsOf(`select 1 from ${table} t where to_jsonb(t)::text like '%' || $1 || '%'`, [id])).length,
    ]),
  );
  return Object.fromEntries(found.filter(([, count]) => count !== 0));
};

describe("DELETE /v1/reviews/{id}", () => {
  it("returns 204 once, then 404", async () => {
    const { id } = await postReview();
    const answer = await remove(id);
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expectIssues(await remove(id), 404, ["null not_found"]);
    expectIssues(await call(one, "GET", `/v1/reviews/${id}`, { key: shop.key }), 404, ["null not_found"]);
    const list = await call(reviews, "GET", "/v1/reviews?limit=1000", { key: shop.key });
    expect(list.text).not.toContain(id);
  });

  it("deletes related rows of the review only", async () => {
    const [remainingReview, deletedReview] = [
      await postReview({ accepted: true }),
      await postReview({ accepted: true, images: [await anUpload()] }),
    ];
    for (const { id } of [remainingReview, deletedReview]) {
      const [{ feedback_token }] = await rowsOf("select feedback_token from reviews where id = $1", [id]);
      for (const body of ["type=up&voter_id=v", "type=bad&comment=no"]) {
        const headers = { "Content-Type": "application/x-www-form-urlencoded" };
        const answer = await call(feedback, "POST", `/collect/feedback/${feedback_token}`, { body, headers });
        expect(answer.status).toBe(204);
      }
      await rowsOf(
        `insert into responses (client_id, id, kind, subject_id, author, extract, date) values ($1, 'rsp-' || $2::text, 'review', $2, 'Shop', 'Thanks.', '2026-01-01')`,
        [shop.id, id],
      );
      await rowsOf(
        `insert into moderation_findings (client_id, id, kind, subject_id, rule, field, span_start, span_end, suggested)
         values ($1, 'fnd-' || $2::text, 'review', $2, 'profanity', 'extract', 0, 1, 'reject')`,
        [shop.id, id],
      );
      await rowsOf(
        `insert into action_links (client_id, hash, purpose, kind, subject_id, expires_at) values ($1, 'h-' || $2::text, 'edit', 'review', $2, now())`,
        [shop.id, id],
      );
    }
    const before = await countRelatedRows(remainingReview.id);
    expect(before).toEqual({ reviews: 1, votes: 1, flags: 1, responses: 1, moderation_findings: 1, action_links: 1 });
    expect((await remove(deletedReview.id)).status).toBe(204);
    expect(await countRelatedRows(deletedReview.id)).toEqual({});
    expect(await countRelatedRows(remainingReview.id)).toEqual(before);
  });

  it("stops serving its images immediately; clean-up deletes the files", async () => {
    const { id, images } = await postReview({ images: [await anUpload()] });
    const address = pathOf(images[0].icon);
    expect((await call(image, "GET", address)).status).toBe(200);
    await remove(id);
    expect((await call(image, "GET", address)).status).toBe(404);
    const key = address.split("/")[2] as string;
    expect(await readFile(`${folderOf(key)}/icon.png`)).not.toBeNull();
    await removeUnclaimedUploads();
    expect(await readFile(`${folderOf(key)}/icon.png`)).toBeNull();
  });

  it("updates summaries and the widget", async () => {
    const shown = async () => {
      const { json } = await call(display, "GET", `/onpage/${shop.id}/reviews.json?key=lamp`);
      return [json.your_review_count, json.your_avg_score];
    };
    const before = await shown();
    const { id } = await postReview({ accepted: true, score: 1 });
    expect(await shown()).not.toEqual(before);
    await remove(id);
    expect(await shown()).toEqual(before);
    expect(await verifySummaries(shop.id)).toEqual([]);
  });

  it("keeps the decisions and who made them, without the texts", async () => {
    const { id } = await postReview({ extract: "Call me: 555 0199." });
    await call(one, "PUT", `/v1/reviews/${id}`, {
      key: shop.key,
      body: { review: { extract: "No.", accepted: false } },
    });
    const reference = await referenceOf(id);
    await remove(id);
    const entries = await rowsOf(
      "select actor_kind, actor_id, action, from_state, to_state, reason, texts from moderation_events where subject_id = $1 order by id",
      [reference],
    );
    const by = { actor_kind: "key", actor_id: shop.keyId, reason: null, texts: null };
    expect(entries).toEqual([
      { ...by, action: "submitted", from_state: null, to_state: "pending" },
      { ...by, action: "edited", from_state: "pending", to_state: "pending" },
      { ...by, action: "decided", from_state: "pending", to_state: "rejected", reason: "unspecified" },
      { ...by, action: "deleted", from_state: "rejected", to_state: null },
    ]);
    const facts = await rowsOf("select name, data from outbox where data->>'review_id' = $1 order by id desc limit 1", [
      id,
    ]);
    expect(facts).toEqual([{ name: "review/deleted", data: { client_id: shop.id, review_id: id } }]);
    // The history stays append-only.
    await expect(rowsOf("delete from moderation_events where subject_id = $1", [reference])).rejects.toThrow(
      /append-only/,
    );
  });

  it("deletes once on concurrent calls", async () => {
    const { id } = await postReview({ accepted: true });
    const reference = await referenceOf(id);
    const answers = await Promise.all(Array.from({ length: 8 }, () => remove(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(7).fill(404)]);
    expect(
      await rowsOf("select 1 from moderation_events where subject_id = $1 and action = 'deleted'", [reference]),
    ).toHaveLength(1);
  });

  it("frees the external_id", async () => {
    const first = await postReview({ external_id: "again" });
    await remove(first.id);
    const second = await postReview({ external_id: "again" });
    expect(second.id).not.toBe(first.id);
  });

  it("requires an admin, and the scope", async () => {
    const { id } = await postReview();
    const { secret } = await aKey([shop.id], ["read", "privacy"]);
    expectIssues(await remove(id, { key: secret }), 403, ["null forbidden"]);
    const { basic } = await aUser("moderator", { clients: [shop.id] });
    expectIssues(await remove(id, { basic }), 403, ["null forbidden"]);
    expectIssues(await remove(id, { key: (await aClient()).key }), 404, ["null not_found"]);
    expect((await call(one, "GET", `/v1/reviews/${id}`, { key: shop.key })).status).toBe(200);
    expect((await remove(id, { basic: (await aUser("admin", { clients: [shop.id] })).basic })).status).toBe(204);
  });
});
