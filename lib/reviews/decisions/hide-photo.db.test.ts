import { describe, expect, it } from "vitest";
import { GET as readImage } from "@/app/images/[key]/[file]/route";
import * as photos from "@/app/portal/api/v1/queue/[kind]/[id]/photos/[token]/route";
import * as oneCase from "@/app/portal/api/v1/queue/[kind]/[id]/route";
import { POST as upload } from "@/app/uploader/route";
import * as review from "@/app/v1/reviews/[id]/route";
import { transaction } from "@/lib/platform/db/pool";
import { claimUploads } from "@/lib/reviews/uploads/claim-uploads";
import { removeUnclaimedUploads } from "@/lib/reviews/uploads/remove-unclaimed-uploads";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import { get, uploadImage } from "@/lib/tools/test/collection-rows";
import {
  aClient,
  aMember,
  hashDatabase,
  rowsOf,
  someReviews,
  type TestClient,
  uniqueName,
} from "@/lib/tools/test/factories";
import { picture } from "@/lib/tools/test/pictures";

const ID = "00000000000000ab";
const hide = (sent: RequestOptions, id: string, token: string, hidden = true, kind = "review") =>
  call(photos, "PUT", `/portal/api/v1/queue/${kind}/${id}/photos/${token}`, { ...sent, body: { hidden } });

/** Creates an accepted review with two photos. Returns their tokens. */
async function withPhotos(client: TestClient): Promise<string[]> {
  const tokens: string[] = [];
  for (const width of [40, 60]) {
    const bytes = await picture(width, 30).png().toBuffer();
    const answer = await uploadImage(upload, client.id, new Blob([new Uint8Array(bytes)]), "a.png", client.publicKey);
    tokens.push((await answer.json()).token);
  }
  const images = await transaction((db) => claimUploads(db, client, tokens, { kind: "review", id: ID }));
  await someReviews(client.id, [{ id: ID, accepted: true, images: JSON.stringify(images) }]);
  return tokens;
}
const shownIn = async (client: TestClient) =>
  (await call(review, "GET", `/v1/reviews/${ID}`, { key: client.key })).json.data.images as {
    token: string;
    icon: string;
  }[];
const statusOf = async (address: string) =>
  (await get(readImage, new URL(address).pathname + new URL(address).search)).status;

describe("a hidden photo", () => {
  it("records its previous state in the history: its review's state, or pending if it was queued separately", async () => {
    const client = await aClient();
    const [first = "", second = ""] = await withPhotos(client);
    const sent = await aMember(client);
    const transitionsOf = async (token: string) =>
      (
        await rowsOf(
          "select from_state, to_state from moderation_events where client_id = $1 and kind = 'photo' and subject_id = $2 order by id",
          [client.id, token],
        )
      ).map(({ from_state, to_state }) => `${from_state} ${to_state}`);
    await hide(sent, ID, first);
    await hide(sent, ID, first, false);
    await hide(sent, ID, first);
    expect(await transitionsOf(first)).toEqual(["accepted rejected", "rejected accepted", "accepted rejected"]);
    await rowsOf("update uploads set queued_at = now() where client_id = $1 and token = $2", [client.id, second]);
    await hide(sent, ID, second);
    expect(await transitionsOf(second)).toEqual(["pending rejected"]);
    const other = await aClient();
    const [third = ""] = await withPhotos(other);
    await rowsOf("update reviews set accepted = null, accepted_at = null where client_id = $1", [other.id]);
    await hide(await aMember(other), ID, third);
    expect(await rowsOf("select from_state from moderation_events where subject_id = $1", [third])).toEqual([
      { from_state: "pending" },
    ]);
  });

  it("is removed from all responses, its URLs return 404, and can be shown again; the review is unchanged", async () => {
    const client = await aClient();
    const [first = "", second = ""] = await withPhotos(client);
    const sent = await aMember(client);
    const [address] = (await shownIn(client)).map(({ icon }) => icon);
    expect(await statusOf(address as string)).toBe(200);
    expect((await hide(sent, ID, first)).status).toBe(204);
    expect((await shownIn(client)).map(({ token }) => token)).toEqual([second]);
    expect(await statusOf(address as string)).toBe(404);
    const seen = (await call(oneCase, "GET", `/portal/api/v1/queue/review/${ID}`, sent)).json.data;
    expect(seen.item).toMatchObject({ accepted: true, images: [{ token: second }] });
    expect(seen.context.hidden_photos).toMatchObject([{ token: first }]);
    expect(await statusOf(seen.context.hidden_photos[0].icon)).toBe(200);
    expect(seen.context.history.map(({ action }: { action: string }) => action)).toEqual(["photo_hidden"]);
    const before = await hashDatabase();
    expect((await hide(sent, ID, first)).status).toBe(204);
    expect(await hashDatabase()).toBe(before);
    expect((await hide(sent, ID, first, false)).status).toBe(204);
    expect((await shownIn(client)).map(({ token }) => token)).toEqual([second, first]);
    expect(await statusOf(address as string)).toBe(200);
  });

  it("isn't restored by an update of the review, isn't deleted by one, and is deleted with the review", async () => {
    const client = await aClient();
    const [first = "", second = ""] = await withPhotos(client);
    await hide(await aMember(client), ID, first);
    const put = (images: string[]) =>
      call(review, "PUT", `/v1/reviews/${ID}`, {
        key: client.key,
        body: { review: { images: images.map((token) => ({ token })) } },
      });
    expect((await put([first, second])).status).toBe(422);
    expect((await put([])).status).toBe(200);
    await removeUnclaimedUploads();
    expect(await rowsOf("select token from uploads where client_id = $1", [client.id])).toEqual([{ token: first }]);
    expect((await call(review, "DELETE", `/v1/reviews/${ID}`, { key: client.key })).status).toBe(204);
    await removeUnclaimedUploads();
    expect(await rowsOf("select token from uploads where client_id = $1", [client.id])).toEqual([]);
  });

  it.each([
    ["review", "reviews"],
    ["seller_review", "seller_reviews"],
    ["question", "questions"],
  ] as const)("of a %s sends one update event when hidden and one when shown again", async (kind, table) => {
    const client = await aClient();
    const bytes = await picture(40, 30).png().toBuffer();
    const answer = await uploadImage(upload, client.id, new Blob([new Uint8Array(bytes)]), "a.png", client.publicKey);
    const { token } = await answer.json();
    const images = await transaction((db) => claimUploads(db, client, [token], { kind, id: ID }));
    await rowsOf(
      `insert into webhooks (client_id, id, url, events, secrets) values ($1, $2, 'https://hooks.invalid/', $3, '')`,
      [client.id, uniqueName("hook"), [`${kind}.updated`]],
    );
    if (kind === "review") await someReviews(client.id, [{ id: ID, accepted: true, images: JSON.stringify(images) }]);
    else
      await rowsOf(
        `insert into ${table} (client_id, id, source, author, ${kind === "question" ? "product_id, product_name, question" : "score, extract"}, lang, date, accepted, accepted_at, images, feedback_token)
         select $1, $2, 'web', 'Ada', ${kind === "question" ? "'p', 'Lamp', 'Why?'" : "5, 'Good'"}, 'en', current_date, true, now(), $3, $4`,
        [client.id, ID, JSON.stringify(images), uniqueName("feedback")],
      );
    const sent = await aMember(client);
    const webhookDeliveries = () =>
      rowsOf("select event, subject from webhook_deliveries where client_id = $1 order by id", [client.id]);
    expect(await webhookDeliveries()).toEqual([]);
    for (const hidden of [true, true]) expect((await hide(sent, ID, token, hidden, kind)).status).toBe(204);
    expect(await webhookDeliveries()).toEqual([{ event: `${kind}.updated`, subject: ID }]);
    expect((await hide(sent, ID, token, false, kind)).status).toBe(204);
    expect(await webhookDeliveries()).toHaveLength(2);
  });

  it("keeps findings about the text", async () => {
    const client = await aClient();
    const [first = ""] = await withPhotos(client);
    await rowsOf(
      `insert into moderation_findings (client_id, id, kind, subject_id, rule, field, span_start, span_end, suggested)
       values ($1, 'f1', 'review', $2, 'personal_data', 'extract', 0, 4, 'hold')`,
      [client.id, ID],
    );
    await hide(await aMember(client), ID, first);
    expect(await rowsOf("select rule from moderation_findings where client_id = $1", [client.id])).toHaveLength(1);
  });

  it("requires a moderator of the same client", async () => {
    const [client, other] = [await aClient(), await aClient()];
    const [first = ""] = await withPhotos(client);
    const [sent, viewer, foreign] = [await aMember(client), await aMember(client, "viewer"), await aMember(other)];
    const before = await hashDatabase();
    expect((await hide(viewer, ID, first)).status).toBe(403);
    expect((await hide(foreign, ID, first)).status).toBe(404);
    expect((await hide(sent, ID, "0".repeat(32))).status).toBe(404);
    expect((await hide(sent, "00000000000000ff", first)).status).toBe(404);
    expect((await hide(sent, ID, first, true, "question")).status).toBe(404);
    expect(await hashDatabase()).toBe(before);
  });
});
