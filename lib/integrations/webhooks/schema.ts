import { z } from "zod";
import { defaultEvents, webhookEvents } from "@/lib/integrations/webhooks/values";
import { clientId, cursor, notices, timestamp, webAddress } from "@/lib/platform/http/fields";
import { encodeReason } from "@/lib/platform/issue";

/** Webhooks in the portal API. Browser-safe. */

export const WebhookInput = z.object({
  url: webAddress.describe("HTTPS URL that events are posted to."),
  events: z
    .array(z.enum(webhookEvents))
    .max(webhookEvents.length)
    .default([...defaultEvents])
    .transform((events) => [...new Set(events)])
    .refine((events) => events.length > 0, { error: encodeReason("no_events") })
    .describe(
      "Events to send. Default: all but `invitation.handed`, which contains the customer's email address and must be selected.",
    ),
});
export type WebhookInput = z.output<typeof WebhookInput>;

export const webhookStates = ["active", "paused", "failing", "disabled"] as const;

export const Webhook = z
  .object({
    id: z.string(),
    url: z.string().describe("Origin and first eight characters of the path."),
    hidden: z.boolean().describe("Whether the URL has parts that are not shown."),
    events: z.array(z.string()),
    state: z.enum(webhookStates),
    disabled_reason: z.enum(["gone", "failing"]).nullable(),
    disabled_at: timestamp.nullable(),
    failing_since: timestamp.nullable(),
    next_try_at: timestamp.nullable().describe("Time of the next attempt while deliveries fail."),
    last_error: z.string().nullable(),
    last_sent_at: timestamp.nullable(),
    waiting: z.int().describe("Number of pending events, up to a thousand."),
    old_secret_until: timestamp.nullable().describe("Time until which the previous secret also signs."),
    created_at: timestamp,
    notices,
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof Webhook>;

/** A webhook with its signing secret, which is only returned once. */
export const NewWebhook = Webhook.extend({ secret: z.string() }).meta({ id: "NewWebhook" });
export type NewWebhook = z.infer<typeof NewWebhook>;

export const WebhookQuery = z.object({ client_id: clientId });
export const WebhookParams = z.object({ id: z.string() });

export const ReplayInput = z
  .object({
    delivery_id: z
      .string()
      .regex(/^[1-9]\d{0,17}$/, { error: encodeReason("not_a_delivery_id") })
      .optional()
      .describe("Delivery to resend."),
    from: z.iso.datetime().optional().describe("Start of the time range."),
    to: z.iso.datetime().optional().describe("End of the time range. Default: now."),
    failed: z.literal(true).optional().describe("Whether to resend all failed deliveries."),
  })
  .refine(
    ({ delivery_id, from, failed }) => [delivery_id, from, failed].filter((one) => one !== undefined).length === 1,
    {
      error: encodeReason("nothing_to_replay"),
      path: ["delivery_id"],
    },
  );
export type ReplayInput = z.output<typeof ReplayInput>;

export const ReplayResult = z.object({ replayed: z.int().describe("Number of events to resend.") });

export const TestResult = z
  .object({ ok: z.boolean(), status: z.int().nullable(), message: z.string(), notices })
  .meta({ id: "WebhookTried" });
export type TestResult = z.infer<typeof TestResult>;

/** `failed`: given up, or a rejected test event; `withdrawn`: an invitation that no longer applies. */
export const deliveryStates = ["pending", "sent", "failed", "withdrawn"] as const;

/** One attempt to deliver an event. */
export const WebhookAttempt = z
  .object({
    at: z.iso.datetime().describe("Start of the attempt."),
    duration_ms: z.int(),
    status: z.int().nullable().describe("HTTP status of the response; null without a response."),
    error: z.string().nullable(),
    answer: z.string().nullable().describe("First kilobyte of the response as text; null without a response."),
    notices,
  })
  .meta({ id: "WebhookAttempt" });
export type WebhookAttempt = z.infer<typeof WebhookAttempt>;

/** An event's delivery to a webhook, as shown in the log. */
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
    .describe("Time of the next attempt, soon if it is past; null while the webhook is paused or disabled."),
  tried_at: timestamp.nullable(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  attempt_log: z.array(WebhookAttempt).describe("Last twenty attempts, oldest first."),
  notices,
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const WebhookDeliveryQuery = WebhookQuery.extend({
  state: z.enum(deliveryStates).optional(),
  after: cursor.optional(),
});
