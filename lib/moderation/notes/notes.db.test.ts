import { describe, expect, it } from "vitest";
import * as note from "@/app/portal/api/v1/queue/[kind]/[id]/notes/[note]/route";
import * as notes from "@/app/portal/api/v1/queue/[kind]/[id]/notes/route";
import * as item from "@/app/portal/api/v1/queue/[kind]/[id]/route";
import * as review from "@/app/v1/reviews/[id]/route";
import { MAX_NOTES } from "@/lib/moderation/notes/schema";
import { MAX_NOTE_LENGTH } from "@/lib/moderation/notes/values";
import { call, type TestResponse } from "@/lib/tools/test/call";
import {
  aClient,
  aMember,
  anAnswer,
  hashDatabase,
  rowsOf,
  someQuestions,
  someReviews,
  someSellerReviews,
  type TestMember,
} from "@/lib/tools/test/factories";
import { expectError } from "@/lib/tools/test/lists";

const QUEUE = "/portal/api/v1/queue";

const write = ({ headers }: TestMember, id: string, body: unknown, kind = "review") =>
  call(notes, "POST", `${QUEUE}/${kind}/${id}/notes`, { headers, body });
const edit = ({ headers }: TestMember, id: string, noteId: string, body: unknown) =>
  call(note, "PUT", `${QUEUE}/review/${id}/notes/${noteId}`, { headers, body });
const remove = ({ headers }: TestMember, id: string, noteId: string) =>
  call(note, "DELETE", `${QUEUE}/review/${id}/notes/${noteId}`, { headers });
const shown = async ({ headers }: TestMember, id: string) =>
  (await call(item, "GET", `${QUEUE}/review/${id}`, { headers })).json.data.context.notes;

const issuesOf = ({ json }: TestResponse): string[] =>
  json.errors.map(({ field, reason }: { field: string; reason: string }) => `${field} ${reason}`);

describe("a note", () => {
  it("is shown with its item to moderators only, and never by the API", async () => {
    const client = await aClient();
    const [id = ""] = await someReviews(client.id, [{ accepted: true }]);
    const [ada, mia, viewer] = [await aMember(client), await aMember(client), await aMember(client, "viewer")];
    const text = "Ask the warehouse about this one.";
    const made = await write(ada, id, { text: ` ${text} ` });
    expect(made.status, made.text).toBe(201);
    const common = {
      id: made.json.data.id,
      author: { id: ada.id, name: ada.name },
      text,
      mentions: [],
      edited_at: null,
    };
    expect(await shown(ada, id)).toEqual([{ ...common, at: expect.any(String), own: true, may_delete: true }]);
    expect(await shown(mia, id)).toEqual([{ ...common, at: expect.any(String), own: false, may_delete: false }]);
    expect(await shown(viewer, id)).toEqual([]);
    expect((await call(review, "GET", `/v1/reviews/${id}`, { key: client.key })).text).not.toContain("warehouse");
    expectError(await write(viewer, id, { text }), 403, "forbidden");
  });

  it("about a photo leads to its review when it mentions someone, and is deleted with the review", async () => {
    const client = await aClient();
    const [id = ""] = await someReviews(client.id, [{}]);
    const [ada, mia] = [await aMember(client), await aMember(client)];
    await rowsOf(
      `insert into uploads (client_id, token, key, format, width, height, sizes, bytes, subject_kind, subject_id, claimed_at, queued_at)
       values ($1, 'photo', md5($1), 'jpg', 1, 1, '{}', 1, 'review', $2, now(), now())`,
      [client.id, id],
    );
    const made = await write(ada, "photo", { text: `@${mia.name} look`, mentions: [mia.id] }, "photo");
    expect(made.status, made.text).toBe(201);
    expect(await rowsOf("select path from notifications where client_id = $1", [client.id])).toEqual([
      { path: `/portal/reviews/${id}` },
    ]);
    const key = { key: client.key };
    expect((await call(review, "DELETE", `/v1/reviews/${id}`, key)).status).toBe(204);
    expect(await rowsOf("select from moderation_notes where client_id = $1", [client.id])).toEqual([]);
  });

  it("returns those whom it mentions for the first time, without its author", async () => {
    const client = await aClient();
    const [id = ""] = await someReviews(client.id, [{}]);
    const [ada, mia, bo] = [await aMember(client), await aMember(client), await aMember(client, "admin")];
    const made = await write(ada, id, { text: `@${mia.name} @${ada.name} look`, mentions: [mia.id, ada.id, mia.id] });
    expect(made.json.data.mentioned).toEqual([mia.id]);
    const notified = () =>
      rowsOf("select user_id, kind, params, path from notifications where client_id = $1", [client.id]);
    const mention = { kind: "mention", params: { name: ada.name }, path: `/portal/reviews/${id}` };
    expect(await notified()).toEqual([{ user_id: mia.id, ...mention }]);
    const [stored] = await shown(ada, id);
    expect(stored.mentions.map((one: { id: string }) => one.id).sort()).toEqual([ada.id, mia.id].sort());
    const noteId = made.json.data.id;
    const changed = await edit(ada, id, noteId, { text: `@${mia.name} @${bo.name} look`, mentions: [mia.id, bo.id] });
    expect(changed.json.data).toEqual({ id: noteId, mentioned: [bo.id] });
    expect((await notified()).map(({ user_id }) => user_id).sort()).toEqual([mia.id, bo.id].sort());
    // A mention of somebody who lost access stays when the text is edited, and can't be added again.
    await rowsOf("update users set disabled_at = now() where id = $1", [mia.id]);
    expect((await edit(ada, id, noteId, { text: "@ still", mentions: [mia.id] })).json.data.mentioned).toEqual([]);
    expect(issuesOf(await write(ada, id, { text: "@new", mentions: [bo.id, mia.id] }))).toEqual([
      "mentions[1] not_a_moderator",
    ]);
    expect(await shown(ada, id)).toHaveLength(1);
  });

  it("can be edited by its author, and deleted by its author and admins", async () => {
    const client = await aClient();
    const [id = ""] = await someReviews(client.id, [{}]);
    const [ada, mia, boss] = [await aMember(client), await aMember(client), await aMember(client, "admin")];
    const { id: first } = (await write(ada, id, { text: "One" })).json.data;
    const { id: second } = (await write(ada, id, { text: "Two" })).json.data;
    for (const other of [mia, boss]) expectError(await edit(other, id, first, { text: "Mine" }), 403, "forbidden");
    expectError(await remove(mia, id, first), 403, "forbidden");
    await edit(ada, id, first, { text: "One more" });
    expect(await shown(mia, id)).toMatchObject([{ text: "One more", edited_at: expect.any(String) }, { text: "Two" }]);
    expect([(await remove(ada, id, first)).status, (await remove(boss, id, second)).status]).toEqual([204, 204]);
    expectError(await remove(ada, id, first), 404, "not_found");
    expect(await shown(ada, id)).toEqual([]);
  });

  it("is stored once for a double click, and an item has a limited number", async () => {
    const client = await aClient();
    const [id = ""] = await someReviews(client.id, [{}]);
    const ada = await aMember(client);
    const twice = await Promise.all([write(ada, id, { text: "Same" }), write(ada, id, { text: "Same" })]);
    expect(new Set(twice.map(({ json }) => json.data.id)).size).toBe(1);
    await rowsOf(
      `insert into moderation_notes (client_id, id, kind, subject_id, text)
       select $1, 'n' || n, 'review', $2, 'x' from generate_series(2, ${MAX_NOTES}) n`,
      [client.id, id],
    );
    expect(issuesOf(await write(ada, id, { text: "One too many" }))).toEqual(["text too_many_notes"]);
    expect(issuesOf(await write(ada, id, { text: "é".repeat(MAX_NOTE_LENGTH + 1) }))).toEqual(["text too_long"]);
    expect(issuesOf(await write(ada, id, { text: " " }))).toEqual(["text empty"]);
    expect(await shown(ada, id)).toHaveLength(MAX_NOTES);
  });

  it("belongs to an item of the store", async () => {
    const [client, foreign] = [await aClient(), await aClient()];
    const [id = "", other = ""] = await someReviews(client.id, [{}, {}]);
    const [theirs = ""] = await someReviews(foreign.id, [{}]);
    const [ada, stranger] = [await aMember(client), await aMember(foreign)];
    const { id: noteId } = (await write(ada, id, { text: "One" })).json.data;
    const before = await hashDatabase();
    expectError(await write(ada, theirs, { text: "Two" }), 404, "not_found");
    expectError(await edit(ada, other, noteId, { text: "Two" }), 404, "not_found");
    expectError(await edit(stranger, theirs, noteId, { text: "Two" }), 404, "not_found");
    expectError(await remove(stranger, id, noteId), 404, "not_found");
    expect(issuesOf(await write(stranger, theirs, { text: "@", mentions: [ada.id] }))).toEqual([
      "mentions[0] not_a_moderator",
    ]);
    expect(await hashDatabase()).toBe(before);
  });

  it("is deleted with its item, and stays without its author", async () => {
    const client = await aClient();
    const ada = await aMember(client);
    const [reviewId = "", kept = ""] = await someReviews(client.id, [{}, {}]);
    const [sellerReview = ""] = await someSellerReviews(client.id, [{}]);
    const [question = ""] = await someQuestions(client.id, [{}]);
    const answer = await anAnswer(client.id, question);
    await write(ada, kept, { text: "Stays" });
    for (const [kind, id] of Object.entries({ review: reviewId, seller_review: sellerReview, question, answer }))
      expect((await write(ada, id, { text: "Goes" }, kind)).status, kind).toBe(201);
    await rowsOf("delete from reviews where id = $1", [reviewId]);
    await rowsOf("delete from seller_reviews where id = $1", [sellerReview]);
    await rowsOf("delete from questions where id = $1", [question]);
    const left = "select text, user_id from moderation_notes where client_id = $1";
    expect(await rowsOf(left, [client.id])).toEqual([{ text: "Stays", user_id: ada.id }]);
    await rowsOf("delete from users where id = $1", [ada.id]);
    expect(await rowsOf(left, [client.id])).toEqual([{ text: "Stays", user_id: null }]);
    expect(await shown(await aMember(client), kept)).toMatchObject([{ author: null, text: "Stays" }]);
  });
});
