import { createHash, createHmac } from "node:crypto";
import { z } from "zod";
import { mergeState, saveRunState } from "@/lib/integrations/record-run";
import type { IntegrationWithSecrets } from "@/lib/integrations/rows";
import { lastingKey } from "@/lib/platform/env";
import { EncodedNotices } from "@/lib/platform/notices";
import { type SealedColumn, seal, tryUnseal } from "@/lib/platform/secrets/seal";
import type { TokenStorage } from "./client";
import type { OrderScan } from "./read-pages";
import type { CommerceSettings } from "./schema";

// State of a sync between pages and runs. Saved after each page, once its orders are stored. After a crash in between,
// the page is processed again, which changes nothing.

const text = z.string().default("");
const StoredPass = z.object({
  key: z.enum(["updated_at", "entity_id"]),
  from: text,
  to: text,
  page: z.int(),
  size: z.int(),
  counting: z.boolean(),
  first: z.int().optional(),
}) satisfies z.ZodType<OrderScan>;

export const phases = ["again", "orders", "shipments", "catalogue"] as const;

const State = z.object({
  /** what the state applies to: with another URL or other stores, the sync starts over */
  scope: text,
  /** the current run, and its counts so far */
  run: z.string().optional(),
  /** start of the run, by the database's clock; used for orders without a creation date */
  since: z.number().optional(),
  counts: z.record(z.string(), z.number()).default({}),
  phase: z.enum(phases).default("again"),
  pass: StoredPass.optional(),
  key: z.enum(["updated_at", "entity_id"]).default("updated_at"),
  /** newest order of completed passes: a time, or an id */
  high: text,
  /** newest order of the current pass */
  newest: text,
  /** when reading by id: the lowest id to read again, since recent orders may still change */
  rescan: z.int().optional(),
  /** orders of the last minutes and their update times: the next pass reads them again and skips unchanged ones */
  recent: z.record(z.string(), z.string()).default({}),
  /** orders that the store fails on: since when, and the last attempt */
  broken: z.array(z.object({ id: z.int(), since: z.number(), tried: z.number() })).default([]),
  /**
   * orders read without a lookup that the store failed on, such as shipments: since when, and the run that last read
   * them
   */
  without: z.record(z.string(), z.object({ since: z.number(), run: text })).default({}),
  /** resources without permission, for this version of settings and credentials */
  denied: z
    .object({ version: z.int(), resources: z.record(z.string(), z.object({ at: z.number(), said: EncodedNotices })) })
    .optional(),
  /** positions of orders that the store can't list and whose number is unknown, in the current run */
  places: z.array(z.string()).default([]),
  /** other failures of the store in the current run */
  failures: z.array(EncodedNotices).default([]),
  /** last processed shipment; before there is one, `follow_from` is the time to start from */
  shipment: z.int().optional(),
  follow_from: z.string().optional(),
  /** page size that the store accepts */
  size: z.int().optional(),
  catalogue_at: z.number().optional(),
  /** consecutive times the store was busy */
  stumbles: z.int().default(0),
  /** time of the current run's last activity */
  active_at: z.number().optional(),
});
export type State = z.output<typeof State>;

/**
 * Sign-in state. Stored apart from the sync state, because a connection test signs in too and must not overwrite the
 * state of a concurrent run.
 */
const Login = z.object({
  /** token of the user that `login` is the hash of */
  token: z.object({ login: z.string(), sealed: z.string(), expires_at: z.number() }).optional(),
  /** hash of the rejected user and password */
  refused: z.string().optional(),
});
export type Login = z.output<typeof Login>;

const PURPOSE = "commerce-token/1";
export const sealedColumns: SealedColumn[] = [
  {
    table: "integrations",
    key: ["client_id", "type"],
    column: "state",
    path: ["login", "token", "sealed"],
    purpose: PURPOSE,
  },
];

const digest = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("base64url");

/** A change of one of these restarts the import of orders. */
const scopeOf = ({ orders_url, store_ids, since, order_id }: CommerceSettings): string =>
  digest([orders_url, store_ids, since, order_id]);

/**
 * Identifies credentials, so that rejected ones aren't retried. Keyed, since it's stored next to the sealed password: a
 * plain hash could be brute-forced by anyone with access to the database.
 */
export const loginHash = ({
  settings,
  secrets,
}: Pick<IntegrationWithSecrets<"commerce">, "settings" | "secrets">): string =>
  createHmac("sha256", lastingKey("commerce-login/1"))
    .update(JSON.stringify([settings.orders_url, settings.auth, secrets.username, secrets.password]))
    .digest("base64url");

/** The saved state; a new one if it has another scope or can't be parsed. */
export function readState(integration: Pick<IntegrationWithSecrets<"commerce">, "settings" | "state">): State {
  const scope = scopeOf(integration.settings);
  const known = State.safeParse(integration.state.commerce).data;
  if (known?.scope === scope) return known;
  return State.parse({ scope, run: known?.run });
}

export const saveCommerceState = (clientId: string, state: State): Promise<void> =>
  saveRunState(clientId, "commerce", state);

export const readLogin = ({ state }: Pick<IntegrationWithSecrets<"commerce">, "state">): Login =>
  Login.safeParse(state.login).data ?? {};

export const saveLogin = (clientId: string, login: Login): Promise<void> => mergeState(clientId, "commerce", { login });

/** Stores the token of these credentials (see {@link loginHash}), sealed. */
export const tokenStorageOf = (clientId: string, login: Login, name: string): TokenStorage => ({
  read: async () => {
    if (login.token?.login !== name) return null;
    const { sealed, expires_at } = login.token;
    const token = tryUnseal(PURPOSE, Buffer.from(sealed, "base64"));
    return token === null ? null : { token, expiresAt: new Date(expires_at) }; // an unreadable one is requested again
  },
  save: async (token) => {
    login.token = token
      ? { login: name, sealed: seal(PURPOSE, token.token).toString("base64"), expires_at: token.expiresAt.getTime() }
      : undefined;
    await saveLogin(clientId, login);
  },
});
