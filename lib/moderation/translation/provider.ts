import { z } from "zod";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { guardedFetch } from "@/lib/platform/http/guarded-fetch";

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 1024 * 1024;

const Response = z.object({ translatedText: z.array(z.string()) });
const ErrorResponse = z.object({ error: z.string() });

/** Whether the operator set up a translation service. */
export const hasTranslationService = (): boolean => env().TRANSLATION_URL !== undefined;

/**
 * Translates texts with the operator's service, which has LibreTranslate's API. `source` null: the service detects it.
 * Throws `unavailable` and `too_large`, without the service's address, which is the operator's.
 */
export async function translateTexts(
  texts: readonly string[],
  { source, target }: { source: string | null; target: string },
): Promise<string[]> {
  const { TRANSLATION_URL = "", TRANSLATION_API_KEY } = env();
  const { status, text } = await post(`${TRANSLATION_URL.replace(/\/$/, "")}/translate`, {
    q: texts,
    source: source ?? "auto",
    target,
    format: "text",
    ...(TRANSLATION_API_KEY && { api_key: TRANSLATION_API_KEY }),
  });
  if (status === 400) throwKnownRefusal(text);
  const parsed = status === 200 ? Response.safeParse(parseJson(text)) : null;
  if (!parsed?.success || parsed.data.translatedText.length !== texts.length)
    throw new AppError("unavailable", { reason: "translation_failed", params: { status } });
  return parsed.data.translatedText;
}

/**
 * LibreTranslate has one status for all requests that it refuses, and no codes. Of its texts, only the parts that all its
 * versions have in common are read; others are reported by status.
 */
function throwKnownRefusal(text: string): void {
  const { error = "" } = ErrorResponse.safeParse(parseJson(text)).data ?? {};
  if (/\bis not (supported|available as a target language)\b/.test(error))
    throw new AppError("unavailable", { reason: "language_not_translated" });
  if (/\bexceeds text limit\b/.test(error)) throw new AppError("too_large", { reason: "too_long_for_translator" });
}

async function post(url: string, body: object): Promise<{ status: number; text: string }> {
  try {
    const answer = await guardedFetch(url, {
      method: "POST",
      // It translates its errors, too.
      headers: { "content-type": "application/json", accept: "application/json", "accept-language": "en" },
      body: JSON.stringify(body),
      // Texts and the key only go to the address that the operator set, which may well be internal.
      maxRedirects: 0,
      network: { allows: () => true },
      maxBytes: MAX_BYTES,
      timeout: TIMEOUT_MS,
    });
    const parts: Uint8Array[] = [];
    for await (const part of answer.body) parts.push(part);
    return { status: answer.status, text: Buffer.concat(parts).toString("utf8") };
  } catch (cause) {
    throw new AppError("unavailable", { reason: "translation_unreachable", cause });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // reported as a failed translation
  }
}
