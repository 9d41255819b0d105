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
import { isSenderOk, type MailService, mailServiceOf, recordNames, senderRecords, spfRecords } from "./rules";
import type { SenderCheck } from "./schema";
import { type LookUpTexts, spfState } from "./spf";
import { saveSenderCheck } from "./sql";

const TIMEOUT_MS = 2_000;
/** For all look-ups together: those in an SPF record follow each other. */
const TOTAL_TIMEOUT_MS = 10_000;

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
  const lookUp = lookUpTexts(servers);
  const names = [...new Set([spf, ...dkim, ...dmarc])];
  const found = new Map(await Promise.all(names.map(async (name) => [name, await lookUp(name)] as const)));
  const [record] = spfRecords(found.get(spf) ?? []);
  const state = record && service.spf ? await spfState(record, service.spf.include, lookUp) : null;
  const records = senderRecords(domain, service, found, state);
  const check: SenderCheck = { domain, ok: isSenderOk(records), records, checked_at: toIsoSeconds(now()) };
  await saveSenderCheck(pool(), client.id, check);
  return check;
}

/** Codes of a response without such records. */
const absent = new Set(["ENOTFOUND", "ENODATA", "EBADNAME"]);

/** Looks up TXT records, each in one piece. After {@link TOTAL_TIMEOUT_MS}, every look-up fails. */
function lookUpTexts(servers: string[] | undefined): LookUpTexts {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  if (servers) resolver.setServers(servers);
  const deadline = AbortSignal.timeout(TOTAL_TIMEOUT_MS);
  deadline.addEventListener("abort", () => resolver.cancel());
  return async (name) => {
    if (deadline.aborted) return null;
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(""));
    } catch (error) {
      return absent.has((error as NodeJS.ErrnoException).code ?? "") ? [] : null;
    }
  };
}
