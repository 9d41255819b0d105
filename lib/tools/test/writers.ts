import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { submitSellerReview } from "@/lib/reviews/seller-reviews/submit-seller-review";
import { giveFeedback } from "@/lib/reviews/votes/give-feedback";
import type { CandorClient } from "@/lib/tools/api-client/client";
import { holdRows, rowsOf, type TestClient } from "@/lib/tools/test/factories";

// Several concurrent writers, through the API if it has a call, else as the portal and the forms write.

const product = fc.constantFrom("p0", "p1", "p2");
const score = fc.integer({ min: 1, max: 5 });
const accepted = fc.option(fc.boolean());
const orderIndex = fc.nat(9);
/** Selects an existing row, modulo their number. */
const rowIndex = fc.nat(1_000);

const steps = {
  "post order": fc.record({
    order: orderIndex,
    customer: fc.nat(3),
    item: product,
    reviewable: fc.option(fc.boolean(), { nil: undefined }),
    name: fc.option(fc.constantFrom("Lamp", "Bulb"), { nil: undefined }),
  }),
  "post review": fc.record({
    external: fc.option(fc.nat(5)),
    item: product,
    score,
    accepted,
    order: fc.option(orderIndex),
  }),
  "put review": fc.record({ which: rowIndex, score: fc.option(score), accepted, item: fc.option(product) }),
  "delete review": fc.record({ which: rowIndex }),
  vote: fc.record({ which: rowIndex, type: fc.constantFrom("up", "down", "reset" as const), voter: fc.nat(2) }),
  "submit seller review": fc.record({ invitation: fc.nat(3), score }),
  "decide seller review": fc.record({ which: rowIndex, accepted }),
  // Another transaction locks these rows for a while: their next writer begins early and commits late.
  hold: fc.record({
    table: fc.constantFrom("reviews", "seller_reviews", "customers"),
    ms: fc.integer({ min: 5, max: 120 }),
  }),
  rest: fc.record({ ms: fc.nat(150) }),
};
type Steps = {
  [Name in keyof typeof steps]: (typeof steps)[Name] extends fc.Arbitrary<infer S> ? S & { do: Name } : never;
};
export type WriterStep = Steps[keyof Steps];

/** The steps of one writer, in order. */
export const writerSteps: fc.Arbitrary<WriterStep[]> = fc.array(
  fc.oneof(
    ...Object.entries(steps).map(([name, each]) =>
      (each as fc.Arbitrary<object>).map((step) => ({ do: name, ...step })),
    ),
  ) as fc.Arbitrary<WriterStep>,
  { minLength: 4, maxLength: 16 },
);

/** Runs one step; `name` identifies the writer. Ignores a row that another writer has deleted. */
export async function runStep(api: CandorClient, shop: TestClient, name: string, step: WriterStep): Promise<void> {
  const pickRow = async (table: string, column: string, which: number): Promise<string | undefined> => {
    const rows = await rowsOf(`select ${column} as value from ${table} where client_id = $1 order by id`, [shop.id]);
    return rows.length > 0 ? rows[which % rows.length].value : undefined;
  };
  const customer = (n: number) => ({ id: `c${n}`, email: `c${n}@example.org`, name: `Customer ${n}` });
  switch (step.do) {
    case "post order": {
      const items = [{ id: step.item, delivery_date: "2026-05-08", reviewable: step.reviewable, name: step.name }];
      const order = { id: `o${step.order}`, customer: customer(step.customer), items };
      return expectDone(await api.POST("/v1/orders", { body: { order } }));
    }
    case "post review": {
      const { external, item, order, ...more } = step;
      const bought = order === null ? {} : { id: `o${order}`, customer: customer(order % 4) };
      const review = {
        score: more.score,
        accepted: more.accepted,
        author: name,
        extract: randomUUID(),
        external_id: external === null ? null : `e${external}`,
        order: { ...bought, item: { id: item } },
      };
      return expectDone(await api.POST("/v1/reviews", { body: { review } }));
    }
    case "put review": {
      const id = await pickRow("reviews", "id", step.which);
      const review = {
        accepted: step.accepted,
        ...(step.score !== null && { score: step.score, extract: randomUUID() }),
        ...(step.item !== null && { order: { item: { id: step.item } } }),
      };
      if (id) expectDone(await api.PUT("/v1/reviews/{id}", { params: { path: { id } }, body: { review } }), 404);
      return;
    }
    case "delete review": {
      const id = await pickRow("reviews", "id", step.which);
      if (id) expectDone(await api.DELETE("/v1/reviews/{id}", { params: { path: { id } } }), 404);
      return;
    }
    case "vote": {
      const token = await pickRow("reviews", "feedback_token", step.which);
      const vote = { type: step.type, voter_id: `v${step.voter}` };
      if (token) await giveFeedback(token, vote, { address: "127.0.0.1", origin: null }).catch(ignoreMissing);
      return;
    }
    case "submit seller review": {
      const invitationId = `${name}-${step.invitation}`;
      await rowsOf(
        `insert into invitations (client_id, id, status, day) values ($1, $2, 'sent', '2026-01-01') on conflict do nothing`,
        [shop.id, invitationId],
      );
      await submitSellerReview(shop.client, {
        invitationId,
        orderId: null,
        customerId: null,
        author: name,
        authorEmail: "ada@example.org",
        authorIp: null,
        score: step.score,
        title: null,
        content: randomUUID(),
        termsAgreedAt: null,
        termsVersion: null,
      });
      return;
    }
    case "decide seller review":
      await rowsOf(
        `update seller_reviews set accepted = $3, accepted_at = case when $3 then now() end,
                reject_reason = case when $3 = false then 'spam' end
          where client_id = $1 and id = $2`,
        [shop.id, await pickRow("seller_reviews", "id", step.which), step.accepted],
      );
      return;
    case "hold":
      return holdRows(shop.id, step.table, step.ms);
    case "rest":
      await sleep(step.ms);
  }
}

function expectDone({ response, error }: { response: Response; error?: unknown }, allowedStatus?: number): void {
  if (!response.ok && response.status !== allowedStatus)
    throw new Error(`${response.url} responded with ${response.status}: ${JSON.stringify(error)}`);
}

function ignoreMissing(error: { code?: string }): void {
  if (error.code !== "not_found") throw error;
}
