import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { loadItems } from "@/lib/moderation/queue/load-items";
import { hasTranslationService, translateTexts } from "@/lib/moderation/translation/provider";
import type { Translation } from "@/lib/moderation/translation/schema";
import { AppError } from "@/lib/platform/errors";
import { takeToken } from "@/lib/platform/http/rate-limit";
import type { DecidedKind } from "@/lib/reviews/decisions/schema";

/** Translating takes seconds per thousand characters. */
const MAX_CHARACTERS = 20_000;

/**
 * Translates an item's texts with the operator's service, and stores nothing. Throws `not_found` also if there is no
 * service, `rate_limited`, `too_large`, `unavailable`.
 */
export async function translateItem(
  actor: Pick<Actor, "id">,
  client: Pick<ClientRow, "id">,
  kind: DecidedKind,
  id: string,
  lang: string,
): Promise<Translation> {
  if (!hasTranslationService()) throw new AppError("not_found", { reason: "translation_off" });
  const [item] = await loadItems(client.id, [{ kind, id }], { people: false, hidesStars: true });
  if (!item) throw new AppError("not_found", { reason: `${kind}_not_found` });
  const texts = [item.title ?? "", item.extract, ...item.pros, ...item.cons];
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length > MAX_CHARACTERS)
    throw new AppError("too_large", { reason: "too_long_to_translate", params: { max: MAX_CHARACTERS } });
  takeToken("translation", actor.id);
  // Empty texts aren't sent.
  const filled = texts.filter((text) => text.trim() !== "");
  const translated =
    filled.length > 0 ? await translateTexts(filled, { source: item.lang, target: lang.split("-")[0] ?? lang }) : [];
  const all = texts.map((text) => (text.trim() === "" ? text : (translated.shift() ?? text)));
  const [title = "", extract = "", ...points] = all;
  return {
    title: item.title === null ? null : title,
    extract,
    pros: points.slice(0, item.pros.length),
    cons: points.slice(item.pros.length),
  };
}
