import { z } from "zod";
import { type KindName, kindNames, kinds } from "@/lib/integrations/kinds";
import { WebhookDelivery } from "@/lib/integrations/webhooks/schema";
import { clientId, notices, timestamp } from "@/lib/platform/http/fields";
import type { Notices } from "@/lib/platform/notices";

/** Integrations as the portal's own calls know them. Browser-safe. */

export const IntegrationQuery = z.object({ client_id: clientId });
export const KindParams = z.object({
  kind: z.string().describe("Which integration."),
});

const settingsDescription = "What is set, by kind.";
const secretsDescription =
  "Credentials, by kind. They are kept sealed and never answered. Those left out stay as they are; all are needed at another server.";

const input = <K extends KindName>(kind: K) =>
  z.object({
    kind: z.literal(kind),
    settings: kinds[kind].settings.describe(settingsDescription),
    secrets: (kinds[kind].secrets as z.ZodObject).partial().default({}).describe(secretsDescription),
    version: z
      .int()
      .optional()
      .describe(
        "Of a change: the version that was seen. Where somebody has changed it since, nothing is saved. Left out, what is given takes the place of whatever is there; the portal's own form always sends it.",
      ),
  });

type Inputs = { [K in KindName]: ReturnType<typeof input<K>> }[KindName];
const inputs = kindNames.map((kind) => input(kind)) as unknown as [Inputs, ...Inputs[]];

/** What a person sets: `kind` says which settings and secrets there are. */
export const IntegrationInput = inputs.length > 1 ? z.discriminatedUnion("kind", inputs) : inputs[0];
export type IntegrationInput = z.output<typeof IntegrationInput>;

export const integrationStates = ["active", "paused", "failing"] as const;

export const Integration = z
  .object({
    kind: z.enum(kindNames),
    settings: z.record(z.string(), z.unknown()).describe(settingsDescription),
    secrets: z.array(z.string()).describe("The names of the credentials that are kept."),
    version: z.int().describe("That of settings and credentials as they are now."),
    state: z.enum(integrationStates),
    error: z.string().nullable().describe("What keeps it from working, since its last run."),
    warning: z.string().nullable().describe("What does not keep it from working and should be looked at."),
    running: z.boolean().describe("Whether a synchronisation is at work, or was asked for and is about to begin."),
    deletions_held: z
      .boolean()
      .describe("Whether the catalogue waits for a person to confirm that most of its products leave."),
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

/** What a data share would be read as. */
export const SharePreview = z
  .object({
    tables: z.array(
      z.object({
        part: z.string().describe("What it holds: stores, articles, contacts, receipts or items."),
        table: z.string().nullable().describe("Where it is; null: the share has no such table."),
        fields: z.array(
          z.object({
            field: z.string(),
            column: z.string().nullable().describe("Null: there is none, or it is left out."),
            needed: z.boolean(),
          }),
        ),
        columns: z.array(z.string()).describe("All that the table has."),
        rows: z.array(z.record(z.string(), z.string().nullable())).describe("The first rows, by field."),
        fault: z.string().nullable().describe("Why the table cannot be read."),
        notices,
      }),
    ),
    fault: z.string().nullable().describe("Why the share cannot be asked."),
    notices,
  })
  .meta({ id: "SharePreview" });
export type SharePreview = z.infer<typeof SharePreview>;

export const runOutcomes = ["running", "done", "failed"] as const;

/** One run, as the portal shows it. */
export type IntegrationRun = {
  id: string;
  started_at: string;
  finished_at: string | null;
  outcome: (typeof runOutcomes)[number];
  counts: Record<string, number>;
  error: string | null;
  /** what it left out, in sentences */
  warning: string | null;
  notices?: Notices;
};

export const SyncAsked = z.object({
  confirm_deletions: z
    .boolean()
    .optional()
    .describe("Import the catalogue even where most of its products become deleted by it."),
});

export const Retry = z.object({
  delivery_id: z.string().max(64).optional().describe("This one; left out: all that failed."),
});
export const Retried = z.object({ retried: z.int().describe("Deliveries that are tried again.") });

export const deliveryOutcomes = ["pending", "sent", "skipped", "failed", "imported"] as const;

/** One thing sent to or read from elsewhere, and what came of it. */
export const DeliveryLine = z.object({
  id: z.string(),
  at: timestamp,
  kind: z.string(),
  subject: z.string(),
  outcome: z.enum(deliveryOutcomes),
  reason: z.string().nullable(),
  said: z.string().nullable().describe("What the other system said last, where it did not simply take it."),
  remote_id: z.string().nullable(),
  attempts: z.int(),
  due_at: timestamp.nullable().describe("When it is tried next."),
  retry: z.boolean().describe("Whether a person may have it tried again."),
  notices,
});
export type DeliveryLine = z.infer<typeof DeliveryLine>;

export const sentKinds = ["review", "seller_review", "question"] as const;
export const SentParams = z.object({ kind: z.enum(sentKinds), id: z.string().min(1).max(64) });

/** Why the engagement platform hears nothing of a review. */
export const untoldReasons = ["imported", "before_connection", "about_to"] as const;

export const Sent = z
  .object({
    engagement: z
      .object({
        deliveries: z.array(DeliveryLine),
        untold: z.enum(untoldReasons).nullable().describe("Why there is none."),
      })
      .nullable()
      .describe("Null where the client has no engagement platform, or where it hears nothing of such items."),
    webhooks: z
      .array(z.object({ id: z.string(), url: z.string(), deliveries: z.array(WebhookDelivery) }))
      .describe("The webhooks that were told of it, or will be."),
  })
  .meta({ id: "Sent" });
export type Sent = z.infer<typeof Sent>;
