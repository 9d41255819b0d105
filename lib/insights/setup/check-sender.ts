import { Resolver } from "node:dns/promises";
import { domainToASCII } from "node:url";
import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { takeToken } from "@/lib/platform/http/rate-limit";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { extractAddress, senderOf } from "@/lib/platform/mail/sender";
import { isSenderOk, type MailService, mailServiceOf, recordNames, senderRecords } from "./rules";
import type { SenderCheck } from "./schema";
import { saveSenderCheck } from "./sql";

const TIMEOUT_MS = 2_000;

type Store = Pick<ClientRow, "id" | "email_name" | "contact_email" | "config">;

/** The address that the store's emails come from, and its domain; null if that can't have DNS records. */
export function senderAddress(client: Store): { address: string; domain: string | null } {
  const address = extractAddress(senderOf(client).from);
  const domain = domainToASCII(address.slice(address.lastIndexOf("@") + 1)).toLowerCase();
  return { address, domain: domain.includes(".") && !/^[\d.]+$/.test(domain) ? domain : null };
}

/**
 * Looks up the DNS records that show that the store's emails may come from its address, and stores the result. Throws
 * `conflict` if the address has no public domain, and `rate_limited`.
 */
export async function checkSender(
  actor: Pick<Actor, "id">,
  client: Store,
  { servers = env().DNS_SERVERS, service = mailServiceOf(env()) }: { servers?: string[]; service?: MailService } = {},
): Promise<SenderCheck> {
  const { domain } = senderAddress(client);
  if (domain === null) throw new AppError("conflict", { reason: "sender_without_domain" });
  takeToken("setup_check", actor.id);
  const { spf, dkim, dmarc } = recordNames(domain, service);
  const names = [...new Set([spf, ...dkim, ...dmarc])];
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  if (servers) resolver.setServers(servers);
  const found = new Map(await Promise.all(names.map(async (name) => [name, await textsAt(resolver, name)] as const)));
  const records = senderRecords(domain, service, found);
  const check: SenderCheck = { domain, ok: isSenderOk(records), records, checked_at: toIsoSeconds(now()) };
  await saveSenderCheck(pool(), client.id, check);
  return check;
}

/** Codes of a response without such records. */
const absent = new Set(["ENOTFOUND", "ENODATA", "EBADNAME"]);

/** The TXT records at a name, each in one piece; null if the look-up failed. */
async function textsAt(resolver: Resolver, name: string): Promise<string[] | null> {
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(""));
  } catch (error) {
    return absent.has((error as NodeJS.ErrnoException).code ?? "") ? [] : null;
  }
}
