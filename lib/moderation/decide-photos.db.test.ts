import { describe, expect, it } from "vitest";
import { GET as readImage } from "@/app/images/[key]/[file]/route";
import * as photos from "@/app/portal/api/v1/queue/[kind]/[id]/photos/[token]/route";
import * as oneCase from "@/app/portal/api/v1/queue/[kind]/[id]/route";
import * as queue from "@/app/portal/api/v1/queue/route";
import * as waiting from "@/app/portal/api/v1/waiting/route";
import { POST as upload } from "@/app/uploader/route";
import * as review from "@/app/v1/reviews/[id]/route";
import { pool, transaction } from "@/lib/platform/db/pool";
import { writeDecisions } from "@/lib/reviews/decisions/write-decisions";
import { claimUploads } from "@/lib/reviews/uploads/claim-uploads";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import { get, uploadImage } from "@/lib/tools/test/collection-rows";
import {
  aClient,
  aMember,
  countBlockedQueries,
  hashDatabase,
  rowsOf,
  someQuestions,
  someReviews,
  type TestClient,
} from "@/lib/tools/test/factories";
import { picture } from "@/lib/tools/test/pictures";

const ID = "00000000000000ab";

/** Creates a pending review with two photos. Returns their tokens, in byte order. */
async function withPhotos(client: TestClient, id = ID): Promise<[string, string]> {
  const tokens: string[] = [];
  for (const width of [40, 60]) {
    const bytes = await picture(width, 30).png().toBuffer();
    const answer = await uploadImage(upload, client.id, new Blob([new Uint8Array(bytes)]), "a.png", client.publicKey);
    tokens.push((await answer.json()).token);
  }
  tokens.sort();
  const images = await transaction((db) => claimUploads(db, client, tokens, { kind: "review", id }));
  await someReviews(client.id, [{ id, extract: "It shines.", product_id: "lamp", images: JSON.stringify(images) }]);
  return tokens as [string, string];
}
const byRule = (client: TestClient, accepted: boolean | null, from: boolean | null = null, id = ID) =>
  transaction((db) =>
    writeDecisions(db, { id: client.id, auto_moderate: true }, "review", [
      { id, from, accepted, reason: null, actor: { kind: "rule", id: null }, notify: false },
    ]),
  );
const list = async (sent: RequestOptions, query = "kind=photo") =>
  (await call(queue, "GET", `/portal/api/v1/queue?${query}`, sent)).json.data as {
    kind: string;
    id: string;
    images: { icon: string }[];
  }[];
const idsOf = async (sent: RequestOptions, query?: string) => (await list(sent, query)).map(({ id }) => id);
const decide = (sent: RequestOptions, token: string, body: object, kind = "photo") =>
  call(oneCase, "PUT", `/portal/api/v1/queue/${kind}/${token}`, { ...sent, body });
const shown = async (client: TestClient) =>
  (await call(review, "GET", `/v1/reviews/${ID}`, { key: client.key })).json.data.images.map(
    ({ token }: { token: string }) => token,
  );
const waitingPhotos = async (sent: RequestOptions) =>
  (await call(waiting, "GET", "/portal/api/v1/waiting", sent)).json.data.kinds.photo as number;

describe("photos of items published by rules", () => {
  it("are queued after the text is published, and counted", async () => {
    const client = await aClient();
    const tokens = await withPhotos(client);
    const sent = await aMember(client);
    expect(await idsOf(sent)).toEqual([]);
    await byRule(client, true);
    const seen = await list(sent);
    expect(seen).toMatchObject(
      tokens.map((id) => ({
        kind: "photo",
        id,
        accepted: null,
        extract: "It shines.",
        came_with: { kind: "review", id: ID },
        images: [{ token: id }],
      })),
    );
    expect(await waitingPhotos(sent)).toBe(2);
    expect(await idsOf(sent, "")).toEqual(tokens);
    expect(await idsOf(sent, "photo=1")).toEqual(tokens);
    expect(await idsOf(sent, "product=lamp&kind=photo")).toEqual(tokens);
    expect(await idsOf(sent, "product=other&kind=photo")).toEqual([]);
    expect(await idsOf(sent, `kind=photo&q=${ID}`)).toEqual(tokens);
    // The review is published with its photos until a moderator decides otherwise.
    expect((await shown(client)).sort()).toEqual(tokens);
  });

  it("aren't queued if the store's own system published them with the text", async () => {
    const client = await aClient();
    const tokens = await withPhotos(client);
    const sent = await aMember(client);
    const put = (accepted: boolean | null) =>
      call(review, "PUT", `/v1/reviews/${ID}`, { key: client.key, body: { review: { accepted } } });
    // As after a review posted as accepted: its photos have no decision of their own.
    await put(true);
    await rowsOf("update uploads set accepted = null, accepted_at = null, decided_at = null where client_id = $1", [
      client.id,
    ]);
    await put(null);
    await byRule(client, true);
    expect(await idsOf(sent)).toEqual([]);
    expect((await shown(client)).sort()).toEqual(tokens);
    // A photo added later hasn't been moderated.
    const more = await withPhotos(client, "00000000000000ac");
    await rowsOf(
      "update uploads set subject_id = $2, claimed_at = now() + interval '1 second', accepted = null where token = $1",
      [more[0], ID],
    );
    await put(null);
    await byRule(client, true);
    expect(await idsOf(sent)).toEqual([more[0]]);
  });

  it("leave the queue once a moderator accepts or rejects the text", async () => {
    const client = await aClient();
    const tokens = await withPhotos(client);
    const sent = await aMember(client);
    await byRule(client, true);
    expect((await decide(sent, ID, { accepted: false, reject_reason: "spam" }, "review")).status).toBe(200);
    expect(await idsOf(sent)).toEqual([]);
    expect((await decide(sent, ID, { accepted: true }, "review")).status).toBe(200);
    expect(await waitingPhotos(sent)).toBe(0);
    expect((await shown(client)).sort()).toEqual(tokens);
    expect(await idsOf(sent, "kind=photo&status=pending")).toEqual([]);
  });

  it("are decided individually: a rejected photo is hidden, its URL stops working, and undo restores it", async () => {
    const client = await aClient();
    const [first, second] = await withPhotos(client);
    const sent = await aMember(client);
    await byRule(client, true);
    const [public_] = (await call(review, "GET", `/v1/reviews/${ID}`, { key: client.key })).json.data.images;
    const address = new URL(public_.icon);
    const status = async () => (await get(readImage, address.pathname + address.search)).status;
    const token = public_.token as string;
    const other = token === first ? second : first;
    expect(await status()).toBe(200);
    expect(
      (await decide(sent, token, { accepted: false, reject_reason: "personal_data", from: "pending" })).status,
    ).toBe(200);
    expect([await shown(client), await status()]).toEqual([[other], 404]);
    expect(await idsOf(sent)).toEqual([other]);
    const [hidden] = await list(sent, "kind=photo&status=rejected");
    expect(hidden).toMatchObject({ id: token, reject_reason: "personal_data" });
    // Moderators can still see hidden photos.
    const iconUrl = new URL(hidden?.images[0]?.icon ?? "");
    expect((await get(readImage, iconUrl.pathname + iconUrl.search)).status).toBe(200);
    const own = (await call(oneCase, "GET", `/portal/api/v1/queue/photo/${token}`, sent)).json.data;
    expect(own.context.history).toMatchObject([{ action: "decided", to: "rejected", reason: "personal_data" }]);
    const detail = (await call(oneCase, "GET", `/portal/api/v1/queue/review/${ID}`, sent)).json.data;
    expect(detail.context.hidden_photos).toMatchObject([{ token }]);
    expect(detail.context.history.at(-1)).toMatchObject({ action: "photo_hidden" });
    expect((await decide(sent, token, { accepted: null, from: "rejected", undo: true })).status).toBe(200);
    expect(await idsOf(sent)).toEqual([first, second]);
    expect([(await shown(client)).sort(), await status()]).toEqual([[first, second], 200]);
    expect((await decide(sent, token, { accepted: true })).status).toBe(200);
    expect(await idsOf(sent, "kind=photo&status=accepted")).toEqual([token]);
  });

  it("can be decided in one call with their text and other items", async () => {
    const client = await aClient();
    const [first, second] = await withPhotos(client);
    const sent = await aMember(client);
    await byRule(client, true);
    await someReviews(client.id, [{ id: "00000000000000cd" }]);
    const items = [
      { kind: "photo", id: second, accepted: false, reject_reason: "spam", from: "pending" },
      { kind: "review", id: "00000000000000cd", accepted: false, reject_reason: "spam" },
      { kind: "photo", id: first, accepted: false, reject_reason: "spam", from: "accepted" },
      { kind: "photo", id: "none", accepted: false },
    ];
    const answer = await call(queue, "PUT", "/portal/api/v1/queue", { ...sent, body: { items } });
    expect(answer.json.data.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      "done",
      "done",
      "conflict",
      "gone",
    ]);
    expect(await shown(client)).toEqual([first]);
  });

  it("hold no locks while a question in the same call is locked by another", async () => {
    const client = await aClient();
    const [first] = await withPhotos(client);
    const sent = await aMember(client);
    await byRule(client, true);
    const [question = ""] = await someQuestions(client.id, [{}]);
    const items = [
      { kind: "photo", id: first, accepted: true },
      { kind: "question", id: question, accepted: true },
    ];
    const other = await pool().connect();
    try {
      await other.query("begin");
      await other.query("select from questions where client_id = $1 for update", [client.id]);
      const decided = call(queue, "PUT", "/portal/api/v1/queue", { ...sent, body: { items } });
      await expect.poll(countBlockedQueries).toBe(1);
      // A call without photos locks its questions first, then its reviews.
      await other.query("select from reviews where client_id = $1 for update nowait", [client.id]);
      await other.query("commit");
      expect((await decided).json.data).toMatchObject([{ outcome: "done" }, { outcome: "done" }]);
    } finally {
      other.release(true);
    }
  });

  it("return a conflict with the first decision if two people decide on the same photo", async () => {
    const client = await aClient();
    const [first] = await withPhotos(client);
    const [one, two] = [await aMember(client), await aMember(client)];
    await byRule(client, true);
    expect((await decide(one, first, { accepted: true, from: "pending" })).status).toBe(200);
    const secondDecision = await decide(two, first, { accepted: false, reject_reason: "spam", from: "pending" });
    expect(secondDecision.status).toBe(409);
    expect(secondDecision.json.errors[0].message).toContain("approved it");
    expect(await shown(client)).toContain(first);
  });

  it("update the review only if it changes", async () => {
    const client = await aClient();
    const [first, second] = await withPhotos(client);
    const sent = await aMember(client);
    await byRule(client, true);
    const updates = async () =>
      (
        await rowsOf("select count(*)::int as n from outbox where client_id = $1 and name = 'review/updated'", [
          client.id,
        ])
      )[0].n;
    const before = await updates();
    await decide(sent, first, { accepted: true });
    expect(await updates()).toBe(before);
    await decide(sent, second, { accepted: false, reject_reason: "spam" });
    expect(await updates()).toBe(before + 1);
  });

  it("hidden from the review page are decided, and listed as rejected", async () => {
    const client = await aClient();
    const [first, second] = await withPhotos(client);
    const sent = await aMember(client);
    await byRule(client, true);
    const path = `/portal/api/v1/queue/review/${ID}/photos/${first}`;
    expect((await call(photos, "PUT", path, { ...sent, body: { hidden: true } })).status).toBe(204);
    expect([await idsOf(sent), await idsOf(sent, "kind=photo&status=rejected")]).toEqual([[second], [first]]);
    expect((await call(photos, "PUT", path, { ...sent, body: { hidden: false } })).status).toBe(204);
    expect(await idsOf(sent, "kind=photo&status=accepted")).toEqual([first]);
  });

  it("are deleted with the review, and can be decided only by the client's moderators", async () => {
    const [client, foreign] = [await aClient(), await aClient()];
    const [first] = await withPhotos(client);
    const [sent, viewer, stranger] = [await aMember(client), await aMember(client, "viewer"), await aMember(foreign)];
    await byRule(client, true);
    const before = await hashDatabase();
    expect((await decide(viewer, first, { accepted: false })).status).toBe(403);
    expect((await decide(stranger, first, { accepted: false })).status).toBe(404);
    expect(await hashDatabase()).toBe(before);
    expect((await call(review, "DELETE", `/v1/reviews/${ID}`, { key: client.key })).status).toBe(204);
    expect([await idsOf(sent), await waitingPhotos(sent)]).toEqual([[], 0]);
    expect((await decide(sent, first, { accepted: false })).status).toBe(404);
  });
});
