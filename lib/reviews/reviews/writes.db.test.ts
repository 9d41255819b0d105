import fc from "fast-check";
import { expect, it } from "vitest";
import { systemActor } from "@/lib/accounts/actor";
import { stateOf } from "@/lib/reviews/decisions/rules";
import { deleteReview } from "@/lib/reviews/reviews/delete-review";
import { updateReview } from "@/lib/reviews/reviews/update-review";
import { upsertReview } from "@/lib/reviews/reviews/upsert-review";
import { aClient, rowsOf, type TestClient } from "@/lib/tools/test/factories";
import { propertyRuns } from "@/lib/tools/test/property-runs";

const name = fc.constantFrom("e0", "e1", "e2");
const accepted = fc.option(fc.boolean(), { nil: undefined });
const text = fc.option(fc.constantFrom("One.", "Two.", "Three."), { nil: undefined });
const step = fc.oneof(
  fc.record({ do: fc.constant("post" as const), name, accepted: fc.oneof(accepted, fc.constant(null)), text }),
  fc.record({ do: fc.constant("put" as const), name, accepted: fc.oneof(accepted, fc.constant(null)), text }),
  fc.record({ do: fc.constant("delete" as const), name }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function act({ client }: TestClient, given: Step): Promise<void> {
  const missing = (error: { code?: string }) => {
    if (error.code !== "not_found") throw error;
  };
  if (given.do === "post") {
    const { accepted, text: extract } = given;
    const order = { item: { id: "lamp" } };
    await upsertReview(systemActor, client, {
      external_id: given.name,
      author: "Ada",
      score: 4,
      order,
      accepted,
      extract,
    });
    return;
  }
  const [row] = await rowsOf("select id from reviews where client_id = $1 and external_id = $2", [
    client.id,
    given.name,
  ]);
  if (!row) return;
  if (given.do === "delete") await deleteReview(systemActor, client, row.id).catch(missing);
  else
    await updateReview(systemActor, client, row.id, { accepted: given.accepted, extract: given.text }).catch(missing);
}

it("keeps a consistent history of every review under concurrent posts, updates and deletes", async () => {
  const shop = await aClient();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 4 }),
      async (workers) => {
        await Promise.all(
          workers.map(async (steps) => {
            for (const each of steps) await act(shop, each);
          }),
        );
        const reviews = await rowsOf("select id, external_id, accepted from reviews where client_id = $1", [shop.id]);
        expect(new Set(reviews.map(({ external_id }) => external_id)).size).toBe(reviews.length);
        const entries = await rowsOf(
          "select subject_id, action, from_state, to_state from moderation_events where client_id = $1 and kind <> 'store' order by id",
          [shop.id],
        );
        const lastStates: Record<string, string | null> = {};
        for (const { subject_id, action, from_state, to_state } of entries) {
          expect(from_state).toBe(lastStates[subject_id] ?? null);
          expect(action === "submitted").toBe(!(subject_id in lastStates));
          expect(to_state === null).toBe(action === "deleted");
          lastStates[subject_id] = to_state;
        }
        const existing = Object.entries(lastStates).filter(([, state]) => state !== null);
        expect(Object.fromEntries(existing)).toEqual(
          Object.fromEntries(reviews.map((review) => [review.id, stateOf(review.accepted)])),
        );
      },
    ),
    { numRuns: propertyRuns(10), endOnFailure: true },
  );
}, 60_000);
