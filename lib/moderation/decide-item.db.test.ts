import { describe, expect, it } from "vitest";
import * as one from "@/app/portal/api/v1/queue/[kind]/[id]/route";
import type { Role } from "@/lib/http/contract";
import { type DecidedKind, decidedKinds } from "@/lib/moderation/schema";
import { tables } from "@/lib/moderation/tables";
import { call, type Sent } from "@/lib/test/call";
import {
  aClient,
  anAnswer,
  aUser,
  fingerprint,
  rowsOf,
  signedIn,
  someQuestions,
  someReviews,
  someSellerReviews,
  type TestClient,
} from "@/lib/test/factories";

const member = async (client: Pick<TestClient, "id" | "accountId">, role: Role = "moderator"): Promise<Sent> => ({
  headers: await signedIn(await aUser(role, { accountId: client.accountId, clients: [client.id] })),
});
const put = (kind: DecidedKind, id: string, sent: Sent, body: unknown) =>
  call(one, "PUT", `/portal/api/v1/queue/${kind}/${id}`, { ...sent, body });

/** A pending item of a kind. */
async function pending(client: TestClient, kind: DecidedKind): Promise<string> {
  if (kind === "review") return (await someReviews(client.id, [{}]))[0] ?? "";
  if (kind === "seller_review") return (await someSellerReviews(client.id, [{}]))[0] ?? "";
  const [question = ""] = await someQuestions(client.id, [{ accepted: kind === "answer" ? true : null }]);
  return kind === "question" ? question : anAnswer(client.id, question, { accepted: null });
}
const stateOf = async (kind: DecidedKind, id: string) =>
  (
    await rowsOf(
      `select accepted, reject_reason, accepted_at is not null as dated from ${tables[kind]} where id = $1`,
      [id],
    )
  )[0];
const facts = async (client: TestClient) =>
  (await rowsOf("select name, data from outbox where client_id = $1 order by id", [client.id])).map(
    ({ name, data }) => [name, data.to],
  );

describe.each(decidedKinds)("a decision on a %s", (kind) => {
  it("moves it to every state, with its history, and is told after the undo window", async () => {
    const client = await aClient();
    const id = await pending(client, kind);
    const sent = await member(client);
    expect((await put(kind, id, sent, { accepted: true, from: "pending", notify: true })).json).toEqual({
      data: { accepted: true, reject_reason: null },
    });
    expect(await stateOf(kind, id)).toEqual({ accepted: true, reject_reason: null, dated: true });
    const [fact] = await rowsOf(
      "select data, available_at > now() + interval '5 s' as later from outbox where client_id = $1 and name = $2",
      [client.id, `${kind}/decided`],
    );
    expect(fact).toMatchObject({
      data: { [`${kind}_id`]: id, from: "pending", to: "accepted", notify: true },
      later: true,
    });
    await put(kind, id, sent, { accepted: false, reject_reason: "personal_data", from: "accepted" });
    expect(await stateOf(kind, id)).toEqual({ accepted: false, reject_reason: "personal_data", dated: false });
    await put(kind, id, sent, { accepted: null, from: "rejected" });
    expect(await stateOf(kind, id)).toEqual({ accepted: null, reject_reason: null, dated: false });
    expect(
      await rowsOf(
        "select actor_kind, action, from_state, to_state, reason from moderation_events where kind = $1 and subject_id = $2 order by id",
        [kind, id],
      ),
    ).toEqual([
      { actor_kind: "user", action: "decided", from_state: "pending", to_state: "accepted", reason: null },
      { actor_kind: "user", action: "decided", from_state: "accepted", to_state: "rejected", reason: "personal_data" },
      { actor_kind: "user", action: "decided", from_state: "rejected", to_state: "pending", reason: null },
    ]);
  });

  it("changes nothing when it is made twice", async () => {
    const client = await aClient();
    const id = await pending(client, kind);
    const sent = await member(client);
    const decision = { accepted: false, reject_reason: "spam", from: "pending" };
    await put(kind, id, sent, decision);
    const before = await fingerprint();
    expect((await put(kind, id, sent, decision)).json.data).toEqual({ accepted: false, reject_reason: "spam" });
    expect(await fingerprint()).toBe(before);
  });

  it("is refused where somebody else decided meanwhile, saying who; one of two at once wins", async () => {
    const client = await aClient();
    const id = await pending(client, kind);
    const people = [await member(client), await member(client)];
    const both = await Promise.all([
      put(kind, id, people[0] as Sent, { accepted: true, from: "pending" }),
      put(kind, id, people[1] as Sent, { accepted: false, reject_reason: "spam", from: "pending" }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const late = both.find(({ status }) => status === 409);
    expect(late?.json.errors[0]).toMatchObject({
      code: "conflict",
      message: expect.stringMatching(/^In the meantime moderator-\S+ (accepted|rejected) it\.$/),
    });
    expect(
      await rowsOf("select action from moderation_events where kind = $1 and subject_id = $2", [kind, id]),
    ).toHaveLength(1);
  });

  it("undone in time is told to nobody; later its undoing is told as well", async () => {
    const client = await aClient();
    const id = await pending(client, kind);
    const sent = await member(client);
    await put(kind, id, sent, { accepted: true });
    await put(kind, id, sent, { accepted: null, undo: true });
    expect(await facts(client)).toEqual([]);
    expect(await stateOf(kind, id)).toEqual({ accepted: null, reject_reason: null, dated: false });
    await put(kind, id, sent, { accepted: true });
    await rowsOf("update outbox set relayed_at = now(), available_at = now() where client_id = $1", [client.id]);
    await put(kind, id, sent, { accepted: null, undo: true });
    expect((await facts(client)).filter(([name]) => name === `${kind}/decided`)).toEqual([
      [`${kind}/decided`, "accepted"],
      [`${kind}/decided`, "pending"],
    ]);
  });

  it("is a moderator's, on the client's own", async () => {
    const [mine, theirs] = [await aClient(), await aClient()];
    const [id, foreign] = [await pending(mine, kind), await pending(theirs, kind)];
    expect((await put(kind, id, await member(mine, "viewer"), { accepted: true })).status).toBe(403);
    expect((await put(kind, id, { key: mine.key }, { accepted: true })).status).toBe(401);
    expect((await put(kind, foreign, await member(mine), { accepted: true })).status).toBe(404);
    expect((await put(kind, id, await member(mine), { accepted: true, reject_reason: "spam" })).status).toBe(422);
    expect((await put(kind, id, await member(mine), { reject_reason: "no such" })).status).toBe(422);
    expect([await stateOf(kind, id), await stateOf(kind, foreign)]).toMatchObject([
      { accepted: null },
      { accepted: null },
    ]);
  });
});

it("knows four kinds", async () => {
  const client = await aClient();
  expect((await put("order" as DecidedKind, "1", await member(client), { accepted: true })).status).toBe(404);
});
