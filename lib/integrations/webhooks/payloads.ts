import { z } from "zod";
import type { ZodOpenApiObject } from "zod-openapi";
import { TEST_EVENT, type WebhookEvent } from "@/lib/integrations/webhooks/values";

// Data of each event, for the API description and the docs. A test compares sent events with this.

export type Payload = { summary: string; data: z.ZodObject; example: Record<string, unknown> };

const client = { client_id: z.string().describe("Store that the event belongs to.") };
const current = { url: z.url().describe("API URL of the resource in its current state.") };
const reviewId = { review_id: z.string().describe("Id of the review.") };
const sellerReviewId = { seller_review_id: z.string().describe("Id of the seller review.") };
const questionId = { question_id: z.string().describe("Id of the question.") };
const invitationId = { invitation_id: z.string().describe("Id of the invitation.") };
const responseId = { response_id: z.string().describe("Id of the reply.") };
const answerId = { answer_id: z.string().describe("Id of the answer.") };

const samples: Record<string, unknown> = {
  client_id: "shop.example.com",
  review_id: "5f0c1d9be27a4836",
  seller_review_id: "91c3a7f2d05b6e48",
  question_id: "2b8e64d0a9f1c357",
  invitation_id: "inv_4kq0v7d2",
  response_id: "rsp_7d1f03",
  answer_id: "ans_90b2c4",
  deletion_id: "aud_31f7e0",
  reason: "opted_out",
};
const api = "https://reviews.example.com/v1";
const reviewUrl = { url: `${api}/reviews/5f0c1d9be27a4836?client_id=shop.example.com` };
const questionUrl = { url: `${api}/questions/2b8e64d0a9f1c357?client_id=shop.example.com` };

const payload = (summary: string, shape: z.ZodRawShape, example: object = {}): Payload => ({
  summary,
  data: z.object({ ...client, ...shape }),
  example: {
    ...Object.fromEntries(["client_id", ...Object.keys(shape)].map((key) => [key, samples[key]])),
    ...example,
  },
});
const review = (summary: string, more: z.ZodRawShape = {}) =>
  payload(summary, { ...reviewId, ...more, ...current }, reviewUrl);
const sellerReview = (summary: string, more: z.ZodRawShape = {}) => payload(summary, { ...sellerReviewId, ...more });
const question = (summary: string, more: z.ZodRawShape = {}) =>
  payload(summary, { ...questionId, ...more, ...current }, questionUrl);
const invitation = (summary: string, more: z.ZodRawShape = {}, example = {}) =>
  payload(summary, { ...invitationId, ...more }, example);

/** What an external sender needs to send an invitation. */
const externalInvitation = {
  kind: z
    .enum(["invitation", "reminder", "seller"])
    .describe("Kind of invitation. `seller` asks only for a seller review."),
  reminder_of: z.string().nullable().describe("Id of the first invitation, for a reminder."),
  customer: z
    .object({ id: z.string().nullable(), name: z.string().nullable(), email: z.string() })
    .describe("Recipient. This is the only event with personal data."),
  language: z.string().describe("Language of the email, such as `en`."),
  shop: z.string().describe("Display name of the store."),
  review_url: z.url().describe("URL of the review form."),
  seller_review_url: z.url().nullable().describe("URL of the form's part about the store."),
  not_received_url: z
    .url()
    .nullable()
    .describe("Address where the customer reports that the order has not arrived yet."),
  opt_out_url: z.url().describe("Unsubscribe link. The email must contain it."),
  expires_at: z.iso.datetime().nullable().describe("Time when the links expire."),
  items: z
    .array(
      z.object({
        id: z.string().describe("SKU of the item."),
        order_id: z.string(),
        name: z.string(),
        category: z.string().nullable(),
        family_id: z.string().nullable(),
        review_url: z.url(),
        product_url: z.url().nullable(),
        image_url: z.url().nullable(),
        stars: z.array(z.object({ score: z.int(), url: z.url(), label: z.string() })),
      }),
    )
    .describe("Items to review; empty for `seller`."),
};
const externalInvitationExample = {
  kind: "invitation",
  reminder_of: null,
  customer: { id: "c-2071", name: "Ada Berg", email: "ada@example.org" },
  language: "en",
  shop: "Lamps and more",
  review_url: "https://reviews.example.com/r/4kq0v7d2",
  seller_review_url: "https://reviews.example.com/r/4kq0v7d2#seller",
  not_received_url: "https://reviews.example.com/r/4kq0v7d2?later=1",
  opt_out_url: "https://reviews.example.com/o/4kq0v7d2",
  expires_at: "2026-08-28T10:15:00Z",
  items: [
    {
      id: "LAMP-OAK-S",
      order_id: "100045",
      name: "Oak lamp",
      category: null,
      family_id: "LAMP-OAK",
      review_url: "https://reviews.example.com/r/4kq0v7d2?item=1",
      product_url: null,
      image_url: null,
      stars: [{ score: 5, url: "https://reviews.example.com/r/4kq0v7d2?item=1&score=5", label: "5 of 5 stars" }],
    },
  ],
};

/** The payload's `data` by event, with a summary. */
export const payloads: Record<WebhookEvent | typeof TEST_EVENT, Payload> = {
  "review.created": review("A review was submitted, or created over the API."),
  "review.updated": review("A review changed: its text, its photos, its verification, or it is pending again."),
  "review.accepted": review("A review was published."),
  "review.rejected": review("A review was rejected."),
  "review.deleted": payload("A review was deleted.", reviewId),
  "review.replied": review("A public reply to a review was written or changed.", responseId),
  "seller_review.created": sellerReview("A seller review was submitted."),
  "seller_review.updated": sellerReview("A seller review changed: its text, its photos, or it is pending again."),
  "seller_review.accepted": sellerReview("A seller review was published."),
  "seller_review.rejected": sellerReview("A seller review was rejected."),
  "seller_review.deleted": sellerReview("A seller review was deleted."),
  "seller_review.replied": sellerReview("A public reply to a seller review was written or changed.", responseId),
  "question.created": question("A question was submitted."),
  "question.updated": question("A question changed: its text, its photos, its verification, or it is pending again."),
  "question.accepted": question("A question was published."),
  "question.rejected": question("A question was rejected."),
  "question.deleted": payload("A question was deleted.", questionId),
  "question.replied": question("An answer to a question was published or changed.", answerId),
  "invitation.scheduled": invitation("An invitation was scheduled."),
  "invitation.handed": invitation(
    "An invitation is ready for your own email sender to send.",
    externalInvitation,
    externalInvitationExample,
  ),
  "invitation.sent": invitation("An invitation was sent."),
  "invitation.skipped": invitation("A scheduled invitation was canceled before it was sent.", {
    reason: z.string().describe("Reason, such as `opted_out` or `already_reviewed`."),
  }),
  "invitation.bounced": invitation("The email of an invitation could not be delivered."),
  "personal_data.deleted": payload("All personal data of a customer was deleted.", {
    deletion_id: z.string().describe("Id of the audit log entry, which doesn't identify the customer."),
  }),
  [TEST_EVENT]: payload("A test event was sent from the portal.", {}),
};

/** Signature headers, as named by the Standard Webhooks specification. */
const headers = z.object({
  "webhook-id": z.string().describe("Id of the event, the same on every attempt. Use it to skip repeats."),
  "webhook-timestamp": z
    .string()
    .describe("Unix time of the attempt, in seconds. Reject timestamps over 5 minutes old."),
  "webhook-signature": z
    .string()
    .describe(
      "One or more signatures, separated by spaces, each `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}`. Accept the event if one of them matches: after a rotation, two secrets sign for 24 hours.",
    ),
});

/** Every event as an OpenAPI 3.1 webhook. */
export const describeWebhooks = (): ZodOpenApiObject["webhooks"] =>
  Object.fromEntries(
    Object.entries(payloads).map(([event, { summary, data, example }]) => [
      event,
      {
        post: {
          operationId: `webhook.${event}`,
          tags: ["Webhooks"],
          summary,
          security: [],
          requestParams: { header: headers },
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: z.object({
                  type: z.literal(event),
                  timestamp: z.iso.datetime().describe("Time of the event."),
                  data,
                }),
                example: { type: event, timestamp: "2026-03-01T10:15:00.000Z", data: example },
              },
            },
          },
          responses: {
            "2XX": { description: "Delivered." },
            "410": { description: "The webhook is disabled: the receiver is gone." },
            "4XX": { description: "Failed. Candor retries." },
            "5XX": { description: "Failed. Candor retries and respects `Retry-After` of 429 and 503." },
          },
        },
      },
    ]),
  );
