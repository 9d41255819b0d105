import sharp from "sharp";
import * as collectQuestion from "@/app/collect/questions/route";
import * as collectReview from "@/app/collect/reviews/route";
import * as orders from "@/app/v1/orders/route";
import { runJob } from "@/inngest/jobs";
import { systemActor } from "@/lib/accounts/actor";
import { submitInvitationForm } from "@/lib/forms/invitation/submit-invitation-form";
import { invitationToken } from "@/lib/invitations/links";
import { pool } from "@/lib/platform/db/pool";
import { newId, newReviewId, newToken } from "@/lib/platform/ids";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import { updateReview } from "@/lib/reviews/reviews/update-review";
import { storeUpload } from "@/lib/reviews/uploads/store-upload";
import { giveFeedback } from "@/lib/reviews/votes/give-feedback";
import { call } from "@/lib/tools/test/call";
import { rowsOf, someProducts, type TestClient } from "@/lib/tools/test/factories";

// People with rows in every table that has personal data, created through the service where possible.

export type PersonWithData = {
  customerId: string;
  email: string;
  name: string;
  orderId: string;
  reviewId: string;
  /** every personal text that must not be found after an erasure */
  personalTexts: string[];
};

const image = async () =>
  new Uint8Array(
    await sharp({ create: { width: 60, height: 40, channels: 3, background: "#369" } })
      .png()
      .toBuffer(),
  );

/**
 * Creates a person who ordered, was invited, wrote two kinds of reviews with photos, edited, got a reply, asked a
 * question, and is in every kind of copy. All their data contains `marker`, to tell it from others'.
 */
export async function createPersonWithData(shop: TestClient, marker: string): Promise<PersonWithData> {
  const customerId = `customer-${marker}`;
  const email = `Anna.${marker}@Customers.example`;
  const name = `Anna-Lena ${marker}son`;
  const orderId = `order-${marker}`;
  const withMarker = (what: string) => `${what} ${marker}`;
  await someProducts(shop.id, [
    { id: "lamp", family_id: "lamps" },
    { id: "bulb", family_id: "lamps" },
  ]).catch(() => undefined); // it may exist for an earlier person
  const delivered = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10);
  const posted = await call(orders, "POST", `/v1/orders?client_id=${shop.id}`, {
    key: shop.key,
    headers: { "Idempotency-Key": `key-${marker.length}-${Math.random()}` },
    body: {
      order: {
        id: orderId,
        customer: { id: customerId, name, email, phone: `070-${marker}` },
        items: [
          { id: "lamp", delivery_date: delivered, properties: { engraving: withMarker("engraved") } },
          { id: "bulb", delivery_date: delivered },
        ],
      },
    },
  });
  if (posted.status !== 200) throw new Error(posted.text);
  await rowsOf("insert into customer_emails (client_id, customer_id, email_key) values ($1, $2, $3)", [
    shop.id,
    customerId,
    `before.${email.toLowerCase()}`,
  ]);
  // No outbox event has an order id today, but an erasure must find one anyway.
  await rowsOf(
    "insert into outbox (client_id, name, data) values ($1::text, 'order/shipped', jsonb_build_object('client_id', $1, 'order_id', $2::text))",
    [shop.id, orderId],
  );
  await runJob("send-invitations", { clientIds: [shop.id] });
  const [{ id: invitationId } = { id: "" }] = await rowsOf(
    "select id from invitations where client_id = $1 and customer_id = $2",
    [shop.id, customerId],
  );
  const token = invitationToken(shop.id, invitationId);

  const photo = await storeUpload(shop, new File([await image()], `${marker}.png`, { type: "image/png" }));
  for (const round of ["first", "second"]) {
    const form = new FormData();
    const fields: Record<string, string> = {
      author: withMarker("Nick"),
      "items.1.score": "5",
      "items.1.title": withMarker(`${round} title`),
      "items.1.content": withMarker(`${round} content`),
      "items.1.pros": withMarker("good"),
      "items.1.cons": withMarker("bad"),
      "seller.score": "4",
      "seller.title": withMarker(`${round} seller title`),
      "seller.content": withMarker(`${round} seller content`),
    };
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    form.set("items.1.images", photo.token);
    const outcome = await submitInvitationForm(token, form, "192.0.2.9");
    if (outcome.outcome !== "stored") throw new Error(JSON.stringify(outcome));
  }
  const [{ id: reviewId, feedback_token } = { id: "", feedback_token: "" }] = await rowsOf(
    "select id, feedback_token from reviews where client_id = $1 and customer_id = $2",
    [shop.id, customerId],
  );
  await updateReview(systemActor, shop.client, reviewId, { accepted: true });
  const visitor = { address: "192.0.2.10", origin: null };
  await giveFeedback(feedback_token, { type: "up", voter_id: "v1" }, visitor);
  await giveFeedback(feedback_token, { type: "bad", voter_id: "v2", comment: withMarker("flagged") }, visitor);

  const publicFields = { client_id: shop.id, api_key: shop.publicKey, author_email: email.toUpperCase() };
  const web = await call(collectReview, "POST", "/collect/reviews", {
    body: {
      ...publicFields,
      product_id: "bulb",
      author: withMarker("Web nick"),
      author_ip: "192.0.2.11",
      score: 3,
      title: withMarker("web title"),
      content: withMarker("web content"),
    },
  });
  if (web.status !== 201) throw new Error(web.text);
  const questionResponse = await call(collectQuestion, "POST", "/collect/questions", {
    body: {
      ...publicFields,
      product_id: "lamp",
      author: withMarker("Asking nick"),
      question: withMarker("what is it?"),
      details: withMarker("what exactly?"),
      mail_answer: "true",
    },
  });
  if (questionResponse.status !== 201) throw new Error(questionResponse.text);
  const [{ id: questionId } = { id: "" }] = await rowsOf(
    "select id from questions where client_id = $1 and email_key = $2",
    [shop.id, emailKey(email)],
  );
  await insert("answers", {
    client_id: shop.id,
    id: newReviewId(),
    question_id: questionId,
    author: "Shop",
    answer: withMarker("dear"),
    date: "2026-03-02",
  });
  const about = { client_id: shop.id, kind: "review", subject_id: reviewId };
  await insert("responses", {
    ...about,
    id: newReviewId(),
    author: "Shop",
    extract: withMarker("thank you"),
    date: "2026-03-02",
  });
  await insert("moderation_findings", {
    ...about,
    id: newId("finding"),
    rule: "personal_data",
    field: "extract",
    span_start: 0,
    span_end: 4,
    suggested: "reject",
    reason: "personal_data",
  });
  await insert("moderation_notes", {
    ...about,
    id: newId("note"),
    user_id: await anyUser(),
    text: withMarker("called us about this"),
  });
  await insert("item_assignments", { ...about, user_id: await anyUser() });
  await insert("moderation_events", {
    ...about,
    actor_kind: "user",
    action: "decided",
    reason: withMarker("free words"),
  });
  await insert("action_links", {
    client_id: shop.id,
    hash: newToken(),
    purpose: "edit",
    kind: "review",
    subject_id: reviewId,
    email_key: emailKey(email),
    expires_at: "2030-01-01",
  });
  await insert("deliveries", {
    client_id: shop.id,
    id: newId("delivery"),
    type: "engagement",
    kind: "interaction",
    subject: reviewId,
    outcome: "sent",
    remote_id: `remote-of-${reviewId}`,
    payload: JSON.stringify({ comment: withMarker("first content") }),
  });
  await insert("deliveries", {
    client_id: shop.id,
    id: newId("delivery"),
    type: "commerce",
    kind: "order",
    subject: orderId,
    outcome: "imported",
    reason: withMarker("as ordered"),
  });
  await insert("saved_views", {
    id: newId("view"),
    user_id: await anyUser(),
    client_id: shop.id,
    page: "orders",
    name: "Hers",
    query: new URLSearchParams({ q: email }).toString(),
  });
  const runId = newId("run");
  await insert("job_runs", {
    id: runId,
    function_id: "candor-send-invitation",
    event_id: newId("event"),
    event: JSON.stringify({ name: "invitation/claimed", data: { client_id: shop.id, invitation_id: invitationId } }),
    status: "failed",
    error: JSON.stringify({ name: "Error", message: `550 <${email}> unknown` }),
    ended_at: "2026-03-02",
  });
  await insert("job_steps", {
    run_id: runId,
    step_id: "s1",
    position: 0,
    name: "send",
    op: "StepRun",
    status: "failed",
    error: JSON.stringify({ message: `550 <${email}> unknown` }),
  });
  const images = await rowsOf("select token, key from uploads where client_id = $1 and subject_id = $2", [
    shop.id,
    reviewId,
  ]);
  const personalTexts = [marker, customerId, email, name, orderId, ...images.flatMap(({ token, key }) => [token, key])];
  return { customerId, email, name, orderId, reviewId, personalTexts };
}

async function anyUser(): Promise<string> {
  await pool().query(
    "insert into users (id, username, password_hash, role) values ('viewer', 'viewer', '-', 'operator') on conflict do nothing",
  );
  return "viewer";
}

async function insert(table: string, row: Record<string, unknown>): Promise<void> {
  const columns = Object.keys(row);
  await pool().query(
    `insert into ${table} (${columns.join(", ")}) values (${columns.map((_, index) => `$${index + 1}`).join(", ")})`,
    Object.values(row),
  );
}
