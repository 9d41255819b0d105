import { timingSafeEqual } from "node:crypto";
import { type Actor, actorAtClient, hasRole } from "@/lib/accounts/actor";
import { hashSecret } from "@/lib/accounts/sign-in/api-key";
import { demoAllowedFor } from "@/lib/accounts/sign-in/demo";
import { type ClientRow, getClient } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import type { Role } from "@/lib/platform/http/contract";

const forbidden = () => new AppError("client_forbidden", { reason: "foreign_client", field: "client_id" });

/**
 * The one client a management call is about: the one named, or the caller's only one. An unknown client and one without
 * access get the same error.
 */
export async function resolveClient(actor: Actor, clientId: string | undefined): Promise<ClientRow> {
  if (clientId !== undefined) {
    if (actor.clients !== "all" && !actor.clients.has(clientId)) throw forbidden();
    const client = await getClient(clientId);
    if (!client) throw forbidden();
    return client;
  }
  const accessible = actor.clients === "all" ? await firstTwoClients() : [...actor.clients];
  if (accessible.length > 1) {
    throw new AppError("client_id_required", { reason: "client_not_named", field: "client_id" });
  }
  const client = accessible[0] === undefined ? null : await getClient(accessible[0]);
  if (!client) throw forbidden();
  return client;
}

/** Another client that a call reads, besides the one it is about. The actor needs that role there, too. */
export async function resolveOtherClient(actor: Actor, clientId: string, role: Role): Promise<ClientRow> {
  const client = await resolveClient(actor, clientId);
  if (!hasRole(actorAtClient(actor, client.id).role, role)) throw forbidden();
  return client;
}

async function firstTwoClients(): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>("select id from clients order by id limit 2");
  return rows.map((row) => row.id);
}

/**
 * The client of a public submission, by `client_id` and public `api_key` in its body. Checked before anything else in
 * the body, together with the browser's origin. The demo's public key is well known and is accepted only where its
 * other credentials are.
 */
export async function resolvePublicClient(body: unknown, headers: Headers): Promise<ClientRow> {
  const { client_id: id, api_key: key } = (body !== null && typeof body === "object" ? body : {}) as Record<
    string,
    unknown
  >;
  const client = typeof id === "string" && !id.includes("\0") ? await getClient(id) : null;
  const right =
    client !== null && typeof key === "string" && timingSafeEqual(hashSecret(client.public_key), hashSecret(key));
  if (!client || !right || (client.demo && !demoAllowedFor(headers))) {
    throw new AppError("client_forbidden", { reason: "public_key_wrong", field: "api_key" });
  }
  if (!isOwnPage(headers)) refuseForeignOrigin(client, headers.get("origin"));
  return client;
}

/**
 * Whether the request comes from a page of this server, by either of its names: the hosted forms upload photos. If the
 * public address is https, a page with the same host name over http may be an attacker's.
 */
export function isOwnPage(headers: Headers): boolean {
  const origin = headers.get("origin");
  const { PUBLIC_URL } = env();
  if (origin === PUBLIC_URL) return true;
  if (origin === null || !URL.canParse(origin)) return false;
  const { host, protocol } = new URL(origin);
  return host === headers.get("host") && (protocol === "https:" || !PUBLIC_URL.startsWith("https:"));
}

/**
 * A browser's Origin must be one of the client's allowed ones, if it lists any; servers send none. Throws `forbidden`.
 */
export function refuseForeignOrigin(
  { allowed_origins }: Pick<ClientRow, "allowed_origins">,
  origin: string | null,
): void {
  if (origin !== null && allowed_origins.length > 0 && !allowed_origins.includes(origin))
    throw new AppError("forbidden", { reason: "origin_not_allowed" });
}
