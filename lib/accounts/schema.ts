import { z } from "zod";
import { clientId, filledText, text, timestamp } from "@/lib/http/fields";

export const ClientQuery = z.object({ client_id: clientId });
export const IdParams = z.object({ id: text(100) });

/** What a key may be made for; each is explained where it is chosen. */
export const scopes = ["read", "write", "privacy"] as const;

const chosenClients = z
  .array(text(100))
  .min(1, { error: "must name at least one" })
  .max(1_000, { error: "must name at most 1000" })
  .meta({ description: "Ids of clients that the person reaches." });

export const NewApiKey = z.object({
  name: filledText(100).meta({ description: "What it is for, to know it again." }),
  scopes: z.array(z.enum(scopes)).min(1, { error: "must hold at least one" }),
  clients: chosenClients.optional().meta({ description: "Whom it reaches; the call's client where left out." }),
});

export const IssuedApiKey = z.object({
  id: z.string(),
  secret: z.string().meta({ description: "Told this once; only its hash is kept." }),
});

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().meta({ description: "How the secret begins." }),
  scopes: z.array(z.enum(scopes)),
  clients: z.array(z.string()).meta({ description: "Of the clients it reaches those that the person reaches too." }),
  other_clients: z.number().int().meta({ description: "How many more it reaches." }),
  created_at: timestamp,
  created_by: z.string().nullable(),
  last_used_at: timestamp.nullable().meta({ description: "Written down once a minute." }),
  revoked_at: timestamp.nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;
