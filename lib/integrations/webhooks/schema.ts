import { z } from "zod";
import { thinEvents, webhookEvents } from "@/lib/integrations/webhooks/values";
import { clientId, cursor, notices, timestamp, webAddress } from "@/lib/platform/http/fields";
import { because } from "@/lib/platform/issue";

/** Webhooks as the portal's own calls know them. Browser-safe. */

export const WebhookInput = z.object({
  url: webAddress.describe("Where events are posted; https."),
  events: z
    .array(z.enum(webhookEvents))
    .max(webhookEvents.length)
    .default([...thinEvents])
    .transform((events) => [...new Set(events)])
    .refine((events) => events.length > 0, { error: because("no_events") })
    .describe(
      "What is told; left out: everything but `invitation.handed`, which carries the customer's address and must be named.",
    ),
});
export type WebhookInput = z.output<typeof WebhookInput>;

export const webhookStates = ["active", "paused", "failing", "disabled"] as const;

export const Webhook = z
  .object({
    id: z.string(),
    url: z.string().describe("The origin and the first eight characters of the path."),
    hidden: z.boolean().describe("Whether there is more of the address than is shown."),
    events: z.array(z.string()),
    state: z.enum(webhookStates),
    disabled_reason: z.enum(["gone", "failing"]).nullable(),
    disabled_at: timestamp.nullable(),
    failing_since: timestamp.nullable(),
    next_try_at: timestamp.nullable().describe("When it is tried again, while nothing gets through."),
    last_error: z.string().nullable(),
    last_sent_at: timestamp.nullable(),
    waiting: z.int().describe("Events that are still to be told, counted up to a thousand."),
    old_secret_until: timestamp.nullable().describe("Until when the secret before signs too."),
    created_at: timestamp,
    notices,
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof Webhook>;

/** A webhook and its signing secret, which is told this once. */
export const NewWebhook = Webhook.extend({ secret: z.string() }).meta({ id: "NewWebhook" });
export type NewWebhook = z.infer<typeof NewWebhook>;

export const WebhookQuery = z.object({ client_id: clientId });
export const WebhookParams = z.object({ id: z.string() });

export const Replay = z
  .object({
    delivery_id: z
      .string()
      .regex(/^[1-9]\d{0,17}$/, { error: because("not_a_delivery_id") })
      .optional()
      .describe("This one."),
    from: z.iso.datetime().optional().describe("All of a period: from this moment."),
    to: z.iso.datetime().optional().describe("Up to this moment; left out: until now."),
    failed: z.literal(true).optional().describe("All that were given up."),
  })
  .refine(
    ({ delivery_id, from, failed }) => [delivery_id, from, failed].filter((one) => one !== undefined).length === 1,
    {
      error: because("nothing_to_replay"),
      path: ["delivery_id"],
    },
  );
export type Replay = z.output<typeof Replay>;

export const Replayed = z.object({ replayed: z.int().describe("Events that are told again.") });

export const Tried = z
  .object({ ok: z.boolean(), status: z.int().nullable(), message: z.string(), notices })
  .meta({ id: "WebhookTried" });
export type Tried = z.infer<typeof Tried>;

/** `failed`: given up, or a test event that was not taken; `withdrawn`: a mail that nobody is to send any more. */
export const deliveryStates = ["pending", "sent", "failed", "withdrawn"] as const;

/** One try to deliver an event. */
export const WebhookAttempt = z
  .object({
    at: z.iso.datetime().describe("When it began."),
    duration_ms: z.int(),
    status: z.int().nullable().describe("The status of the answer; null where nobody answered."),
    error: z.string().nullable(),
    answer: z.string().nullable().describe("The first kilobyte of the answer as text; null where nobody answered."),
    notices,
  })
  .meta({ id: "WebhookAttempt" });
export type WebhookAttempt = z.infer<typeof WebhookAttempt>;

/** One event on its way to a webhook, as the log shows it. */
export const WebhookDelivery = z.object({
  id: z.string(),
  message_id: z.string(),
  event: z.string(),
  subject: z.string(),
  happened_at: timestamp,
  state: z.enum(deliveryStates),
  attempts: z.int(),
  due_at: timestamp
    .nullable()
    .describe("When it is tried next, soon where that is past; null: not while its webhook is told nothing."),
  tried_at: timestamp.nullable(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  attempt_log: z.array(WebhookAttempt).describe("The last twenty attempts, oldest first."),
  notices,
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const WebhookDeliveryQuery = WebhookQuery.extend({
  state: z.enum(deliveryStates).optional(),
  after: cursor.optional(),
});
