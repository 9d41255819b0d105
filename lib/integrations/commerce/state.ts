import { createHash, createHmac } from "node:crypto";
import { z } from "zod";
import { mergeState, saveRunState } from "@/lib/integrations/record-run";
import type { IntegrationWithSecrets } from "@/lib/integrations/rows";
import { lastingKey } from "@/lib/platform/env";
import { EncodedNotices } from "@/lib/platform/notices";
import { type SealedColumn, seal, tryUnseal } from "@/lib/platform/secrets/seal";
import type { TokenStorage } from "./client";
import type { OrderPass } from "./read-pages";
import type { CommerceSettings } from "./schema";

// What a synchronisation remembers from page to page and from run to run. It is kept after each page, once the page's
// orders are stored: whoever dies in between does that page again, which changes nothing.

const text = z.string().default("");
const StoredPass = z.object({
  key: z.enum(["updated_at", "entity_id"]),
  from: text,
  to: text,
  page: z.int(),
  size: z.int(),
  counting: z.boolean(),
  first: z.int().optional(),
}) satisfies z.ZodType<OrderPass>;

export const phases = ["again", "orders", "shipments", "catalogue"] as const;

const State = z.object({
  /** what the rest is about: at another address, or for other stores, everything begins anew */
  scope: text,
  /** the run under way, and what it did so far */
  run: z.string().optional(),
  /** when that began, by the database's clock: an order that does not say when it was placed was so by then */
  since: z.number().optional(),
  counts: z.record(z.string(), z.number()).default({}),
  phase: z.enum(phases).default("again"),
  pass: StoredPass.optional(),
  key: z.enum(["updated_at", "entity_id"]).default("updated_at"),
  /** the newest order of the passes that are over: a time, or a number */
  high: text,
  /** the newest of the pass under way */
  newest: text,
  /** by number: the lowest number that is read again, since orders of weeks may still change */
  rescan: z.int().optional(),
  /** orders of the last minutes and when they were changed: the next pass reads them again and passes over them */
  recent: z.record(z.string(), z.string()).default({}),
  /** orders that the shop fails on: since when, and when they were tried last */
  broken: z.array(z.object({ id: z.int(), since: z.number(), tried: z.number() })).default([]),
  /** orders that were read without something that the shop failed on, such as their shipments: since when, and the run that read them last */
  without: z.record(z.string(), z.object({ since: z.number(), run: text })).default({}),
  /** what the role may not read, under the settings and credentials of this version */
  denied: z
    .object({ version: z.int(), resources: z.record(z.string(), z.object({ at: z.number(), said: EncodedNotices })) })
    .optional(),
  /** of orders that the shop cannot list and whose number is not known: where they are, in the run under way */
  places: z.array(z.string()).default([]),
  /** what else the shop failed on in the run under way */
  failures: z.array(EncodedNotices).default([]),
  /** the newest shipment that was looked at; before there is one, from when on they are followed */
  shipment: z.int().optional(),
  follow_from: z.string().optional(),
  /** pages as large as the shop allows */
  size: z.int().optional(),
  catalogue_at: z.number().optional(),
  /** how often in a row the shop was busy */
  stumbles: z.int().default(0),
  /** when the run under way last did something */
  active_at: z.number().optional(),
});
export type State = z.output<typeof State>;

/**
 * What is remembered of signing in. It stands beside the rest and not in it: a test of the connection signs in too, while
 * a run may be at work, and must not take the run back to where it was.
 */
const Login = z.object({
  /** of the user that `login` is the hash of */
  token: z.object({ login: z.string(), sealed: z.string(), expires_at: z.number() }).optional(),
  /** the user and password that were refused, as a hash */
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

/** Orders are read from the beginning when one of these changes. */
const scopeOf = ({ orders_url, store_ids, since, order_id }: CommerceSettings): string =>
  digest([orders_url, store_ids, since, order_id]);

/**
 * What names a log-in, so that a refused one is not tried again. Keyed: it is kept beside the sealed password, and a plain
 * hash of that could be tried out by whoever gets hold of the database.
 */
export const loginHash = ({
  settings,
  secrets,
}: Pick<IntegrationWithSecrets<"commerce">, "settings" | "secrets">): string =>
  createHmac("sha256", lastingKey("commerce-login/1"))
    .update(JSON.stringify([settings.orders_url, settings.auth, secrets.username, secrets.password]))
    .digest("base64url");

/** What was remembered; from the beginning where it is about something else, or cannot be read. */
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

/** Keeps the token that the shop gave the user of this name (see {@link loginHash}), sealed. */
export const tokenStorageOf = (clientId: string, login: Login, name: string): TokenStorage => ({
  read: async () => {
    if (login.token?.login !== name) return null;
    const { sealed, expires_at } = login.token;
    const token = tryUnseal(PURPOSE, Buffer.from(sealed, "base64"));
    return token === null ? null : { token, expiresAt: new Date(expires_at) }; // a lost one is fetched anew
  },
  save: async (token) => {
    login.token = token
      ? { login: name, sealed: seal(PURPOSE, token.token).toString("base64"), expires_at: token.expiresAt.getTime() }
      : undefined;
    await saveLogin(clientId, login);
  },
});
