import { z } from "zod";
import { type KindName, kindNames, kinds } from "@/lib/integrations/kinds";
import { WebhookDelivery } from "@/lib/integrations/webhooks/schema";
import { clientId, notices, timestamp } from "@/lib/platform/http/fields";
import type { Notices } from "@/lib/platform/notices";

/** Integrations in the portal API. Browser-safe. */

export const IntegrationQuery = z.object({ client_id: clientId });
export const KindParams = z.object({
  kind: z.string().describe("Kind of integration."),
});

const settingsDescription = "Settings, depending on the kind of integration.";
const secretsDescription =
  "Credentials, depending on the kind of integration. They are stored encrypted and never returned. Credentials that you leave out are kept. For another server, all are required.";

const input = <K extends KindName>(kind: K) =>
  z.object({
    kind: z.literal(kind),
    settings: kinds[kind].settings.describe(settingsDescription),
    secrets: (kinds[kind].secrets as z.ZodObject).partial().default({}).describe(secretsDescription),
    version: z
      .int()
      .optional()
      .describe(
        "Version of the settings you read. If they changed since, nothing is saved. If left out, the change always overwrites.",
      ),
  });

type Inputs = { [K in KindName]: ReturnType<typeof input<K>> }[KindName];
const inputs = kindNames.map((kind) => input(kind)) as unknown as [Inputs, ...Inputs[]];

/** Input of an integration; `kind` decides on its settings and secrets. */
export const IntegrationInput = inputs.length > 1 ? z.discriminatedUnion("kind", inputs) : inputs[0];
export type IntegrationInput = z.output<typeof IntegrationInput>;

export const integrationStates = ["active", "paused", "failing"] as const;

export const Integration = z
  .object({
    kind: z.enum(kindNames),
    settings: z.record(z.string(), z.unknown()).describe(settingsDescription),
    secrets: z.array(z.string()).describe("Names of the stored credentials."),
    version: z.int().describe("Current version of settings and credentials."),
    state: z.enum(integrationStates),
    error: z.string().nullable().describe("Error of the last run that stops the integration."),
    warning: z
      .string()
      .nullable()
      .describe("Warning of the last run that needs attention but doesn't stop the integration."),
    running: z.boolean().describe("Whether a sync is in progress or requested."),
    deletions_held: z
      .boolean()
      .describe("Whether the catalog import needs confirmation because it would delete most products."),
    last_run_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    notices,
  })
  .meta({ id: "Integration" });
export type Integration = z.infer<typeof Integration>;

export const Checks = z
  .object({
    ok: z.boolean(),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean(), message: z.string(), notices })),
  })
  .meta({ id: "IntegrationChecks" });
export type Checks = z.infer<typeof Checks>;
export type Check = Checks["checks"][number];

/** How a data share would be read. */
export const SharePreview = z
  .object({
    tables: z.array(
      z.object({
        part: z.string().describe("Content of the table: stores, articles, contacts, receipts or items."),
        table: z.string().nullable().describe("Name of the table; null if the share has none."),
        fields: z.array(
          z.object({
            field: z.string(),
            column: z.string().nullable().describe("Name of the column; null if there is none or it is left out."),
            needed: z.boolean(),
          }),
        ),
        columns: z.array(z.string()).describe("All columns of the table."),
        rows: z.array(z.record(z.string(), z.string().nullable())).describe("First rows, by field."),
        fault: z.string().nullable().describe("Reason why the table can't be read."),
        notices,
      }),
    ),
    fault: z.string().nullable().describe("Reason why the share can't be reached."),
    notices,
  })
  .meta({ id: "SharePreview" });
export type SharePreview = z.infer<typeof SharePreview>;

export const runOutcomes = ["running", "done", "failed"] as const;

/** A run, as shown in the portal. */
export type IntegrationRun = {
  id: string;
  started_at: string;
  finished_at: string | null;
  outcome: (typeof runOutcomes)[number];
  counts: Record<string, number>;
  error: string | null;
  /** what was skipped, as text */
  warning: string | null;
  notices?: Notices;
};

export const SyncInput = z.object({
  confirm_deletions: z
    .boolean()
    .optional()
    .describe("Whether to import the catalog even if most products would be deleted."),
});

export const RetryInput = z.object({
  delivery_id: z.string().max(64).optional().describe("Delivery to retry. Default: all failed deliveries."),
});
export const RetryResult = z.object({ retried: z.int().describe("Number of deliveries to retry.") });

export const deliveryOutcomes = ["pending", "sent", "skipped", "failed", "imported"] as const;

/** Something sent to or read from another system, with its outcome. */
export const DeliveryLine = z.object({
  id: z.string(),
  at: timestamp,
  kind: z.string(),
  subject: z.string(),
  outcome: z.enum(deliveryOutcomes),
  reason: z.string().nullable(),
  said: z.string().nullable().describe("Last response of the other system, if it wasn't a plain success."),
  remote_id: z.string().nullable(),
  attempts: z.int(),
  due_at: timestamp.nullable().describe("Time of the next attempt."),
  retry: z.boolean().describe("Whether a person can retry the delivery."),
  notices,
});
export type DeliveryLine = z.infer<typeof DeliveryLine>;

export const sentKinds = ["review", "seller_review", "question"] as const;
export const SentParams = z.object({ kind: z.enum(sentKinds), id: z.string().min(1).max(64) });

/** Why a review wasn't sent to the engagement platform. */
export const notSentReasons = ["imported", "before_connection", "about_to"] as const;

export const SentDeliveries = z
  .object({
    engagement: z
      .object({
        deliveries: z.array(DeliveryLine),
        untold: z.enum(notSentReasons).nullable().describe("Reason why nothing was sent."),
      })
      .nullable()
      .describe("Null if the store has no engagement platform or it doesn't receive this kind of item."),
    webhooks: z
      .array(z.object({ id: z.string(), url: z.string(), deliveries: z.array(WebhookDelivery) }))
      .describe("Webhooks that got the event or will get it."),
  })
  .meta({ id: "Sent" });
export type SentDeliveries = z.infer<typeof SentDeliveries>;
