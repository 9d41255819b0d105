import { z } from "zod";
import { clientId, timestamp } from "@/lib/http/fields";
import { type KindName, kindNames, kinds } from "@/lib/integrations/kinds";

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
    state: z.enum(integrationStates),
    error: z.string().nullable().describe("What keeps it from working, since its last run."),
    warning: z.string().nullable().describe("What does not keep it from working and should be looked at."),
    last_run_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Integration" });
export type Integration = z.infer<typeof Integration>;

export const Checks = z
  .object({
    ok: z.boolean(),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean(), message: z.string() })),
  })
  .meta({ id: "IntegrationChecks" });
export type Checks = z.infer<typeof Checks>;
export type Check = Checks["checks"][number];

export const runOutcomes = ["running", "done", "failed"] as const;

/** One run, as the portal shows it. */
export type IntegrationRun = {
  id: string;
  started_at: string;
  finished_at: string | null;
  outcome: (typeof runOutcomes)[number];
  counts: Record<string, number>;
  error: string | null;
};

/** One thing sent to or read from elsewhere, and what came of it. */
export type DeliveryLine = {
  id: string;
  at: string;
  kind: string;
  subject: string;
  outcome: "pending" | "sent" | "skipped" | "failed" | "imported";
  reason: string | null;
  remote_id: string | null;
  attempts: number;
};
