import { pageHeaders } from "@/lib/display/honesty/parts";
import { receiptPage } from "@/lib/display/honesty/receipt-page";
import type { HonestyReceipt } from "@/lib/display/honesty/schema";
import { openReceipt } from "@/lib/honesty/receipts";
import { env } from "@/lib/platform/env";
import { RawJson, Reply } from "@/lib/platform/http/reply";
import { acceptedLanguages, languageOf } from "@/lib/platform/i18n/languages";

/** Headers of a secret page: kept nowhere. */
const secretHeaders = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex, nofollow",
};

/** A receipt as a page in the reader's language. Throws `not_found` for an unknown token. */
export async function showReceipt(
  clientId: string,
  token: string,
  lang: string | undefined,
  headers: Headers,
): Promise<Reply<undefined>> {
  const receipt = await openReceipt(clientId, token);
  const language = languageOf(lang, ...acceptedLanguages(headers.get("accept-language")), receipt.client.locale);
  const address = `${env().PUBLIC_URL}/honesty/${encodeURIComponent(clientId)}/receipt/${token}`;
  return new Reply<undefined>(new RawJson(receiptPage(receipt, language, address)), {
    headers: { ...pageHeaders, ...secretHeaders, "Content-Language": language },
  });
}

/** A receipt as a file, with everything that is needed to verify it. Throws `not_found` for an unknown token. */
export async function downloadReceipt(clientId: string, token: string): Promise<Reply<HonestyReceipt>> {
  const { kind, item, status, is_behind, head, keys, entries } = await openReceipt(clientId, token);
  const receipt: HonestyReceipt = {
    kind,
    item,
    status,
    is_behind,
    checkpoint: head?.checkpoint ?? null,
    keys,
    entries: entries.map(({ index, text, proof }) => ({
      index,
      entry: text,
      proof: proof.map((hash) => hash.toString("base64")),
    })),
    how_to_verify: [
      "checkpoint: a signed note (https://c2sp.org/tlog-checkpoint) with the log's name, size and root hash. keys: verifier keys of its signatures; compare them with those of the log's address, /log/key.",
      "Each entry is in the log: its hash is SHA-256 of a zero byte and the bytes of `entry`, and `proof` leads from it to the root hash (RFC 6962, 2.1.1).",
      "`item`: the first 32 hexadecimal digits of SHA-256 of `candor/item:` and the salt. The salt is the last part of the receipt's address, written as a UUID in lower case with hyphens.",
      'content of an entry: SHA-256 of `candor/content:`, the salt, `:` and the content as JSON without spaces. Reviews: {"author","score","title","extract","pros","cons"}. Seller reviews: {"author","score","title","extract"}. Questions: {"author","question","details"}. Fields without a value are null.',
    ],
  };
  return new Reply(receipt, {
    headers: { ...secretHeaders, "Content-Disposition": 'attachment; filename="receipt.json"' },
  });
}
