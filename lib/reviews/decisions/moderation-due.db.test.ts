import { describe, expect, it } from "vitest";
import * as one from "@/app/v1/reviews/[id]/route";
import { submitReview } from "@/lib/reviews/reviews/submit-review";
import { call } from "@/lib/tools/test/call";
import { aClient, aSubmission, aUser, rowsOf, someReviews, type TestClient } from "@/lib/tools/test/factories";

/** The items queued for the client's rules, one list per event. */
const due = async (client: TestClient) =>
  (
    await rowsOf("select data from outbox where name = 'moderation/due' and data->>'client_id' = $1 order by id", [
      client.id,
    ])
  ).map(({ data }) => [data.kind, data.ids]);

describe("items queued for rules", () => {
  it("are submitted items, one event per batch, if the client has rules", async () => {
    const client = await aClient({ auto_moderate: true });
    const stored = await Promise.all(
      ["One.", "Two.", "Three."].map((text) => submitReview(client.client, aSubmission(text))),
    );
    const dueLists = await due(client);
    expect(dueLists.flatMap(([, ids]) => ids).sort()).toEqual(stored.map(({ id }) => id).sort());
    expect(dueLists.length).toBeLessThan(3);
    const [dueList] = dueLists;
    expect(dueList?.[0]).toBe("review");
  });

  it("are none if the client's team decides everything", async () => {
    const client = await aClient();
    await submitReview(client.client, aSubmission("One."));
    expect(await due(client)).toEqual([]);
  });

  it("include items the API reopens, but not those a person reopens", async () => {
    const client = await aClient({ auto_moderate: true });
    const [id = "", other = ""] = await someReviews(client.id, [{ accepted: true }, { accepted: true }]);
    const reopen = { body: { review: { accepted: null } } };
    const moderator = await aUser("moderator", { accountId: client.accountId });
    expect((await call(one, "PUT", `/v1/reviews/${id}`, { key: client.key, ...reopen })).status).toBe(200);
    expect((await call(one, "PUT", `/v1/reviews/${other}`, { basic: moderator.basic, ...reopen })).status).toBe(200);
    expect(await due(client)).toEqual([["review", [id]]]);
  });
});
