import { type ClientRow, getClient } from "@/lib/clients/get-client";
import { now } from "@/lib/clock";
import { pool } from "@/lib/db/pool";
import { type Language, languageOf } from "@/lib/languages/rules";
import { readVerificationToken } from "@/lib/verification/links";
import { selectLink, selectWaiting, type WaitingItem } from "./sql";

/** How many items one page asks about; what is left over is asked about by the next mail. */
const MOST_SHOWN = 20;

/** What a mailed link leads to. */
export type Verification =
  | { state: "open"; client: ClientRow; language: Language; items: WaitingItem[] }
  /** used already, or nothing waits any more */
  | { state: "over" | "expired"; client: ClientRow; language: Language }
  /** not a link of ours, or what it led to is gone */
  | { state: "unknown"; language: Language };

/** What waits behind a verification link. Writes nothing: mail scanners open links too. */
export async function openVerification(token: string, acceptLanguage: string | null): Promise<Verification> {
  const wishes = (acceptLanguage ?? "").split(",").map((part) => part.split(";")[0]);
  const about = readVerificationToken(token);
  const client = about && (await getClient(about.clientId));
  const link = client && (await selectLink(pool(), client.id, about.hash));
  if (!client || !link) return { state: "unknown", language: languageOf(...wishes) };
  const items = await selectWaiting(pool(), client.id, link.email_key, MOST_SHOWN);
  const language = languageOf(items[0]?.lang, ...wishes, client.locale);
  if (link.used_at || items.length === 0) return { state: "over", client, language };
  if (link.expires_at <= now()) return { state: "expired", client, language };
  return { state: "open", client, language, items };
}
