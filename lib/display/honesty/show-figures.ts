import { LRUCache } from "lru-cache";
import { type ClientRow, getClient, isTestStore } from "@/lib/accounts/stores/get-client";
import { honestyBadge } from "@/lib/display/honesty/badge";
import { figuresCsv } from "@/lib/display/honesty/figures-csv";
import { honestyPage } from "@/lib/display/honesty/page";
import { pageHeaders } from "@/lib/display/honesty/parts";
import type { HonestyFigures } from "@/lib/display/honesty/schema";
import { statementFragment } from "@/lib/display/honesty/statement";
import { unknownClient } from "@/lib/display/show";
import { brandOf } from "@/lib/forms/brand";
import { plainPage } from "@/lib/forms/plain-page";
import { readFigures } from "@/lib/honesty/compute-figures";
import { type StoredFigures, selectFigureTimes } from "@/lib/honesty/figures-sql";
import { batch } from "@/lib/platform/db/batch";
import { onClientChanged } from "@/lib/platform/db/cache";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { etagOf, matchesEtag } from "@/lib/platform/http/etag";
import { RawJson, Reply } from "@/lib/platform/http/reply";
import { acceptedLanguages, type Language, languageOf, supportedLanguage } from "@/lib/platform/i18n/languages";
import { publicText } from "@/lib/platform/i18n/public-texts";
import { perProcess } from "@/lib/platform/process";

/** What was made from a store's settings and figures, as it is sent. */
type Answer = { clientId: string; version: string; bytes: Uint8Array<ArrayBuffer>; etag: string };

/** Bytes of responses that a process caches. */
const MAX_CACHE_BYTES = 16 * 1024 * 1024;

const answerCache = () =>
  perProcess("honesty-answers", () => {
    const cache = new LRUCache<string, Answer>({
      maxSize: MAX_CACHE_BYTES,
      sizeCalculation: ({ bytes }, key) => bytes.length + key.length + 200,
    });
    onClientChanged(
      (id) => {
        for (const [key, { clientId }] of cache.entries()) if (clientId === id) cache.delete(key);
      },
      () => cache.clear(),
    );
    return cache;
  });

/** When a store's figures were computed; concurrent look-ups share a query. */
const timeOfFigures = (clientId: string): Promise<Date | null> =>
  batch<string, Date | null>("honesty-times", (all) => selectFigureTimes(pool(), all), { inFlight: 2 })(clientId);

/**
 * The page in the reader's language; of a test store, that it is one. Throws `not_found` for an unknown client.
 */
export async function showHonestyPage(
  clientId: string,
  lang: string | undefined,
  headers: Headers,
): Promise<Reply<undefined>> {
  const client = await getClient(clientId);
  if (!client || !isTestStore(client)) return showInLanguage("page", clientId, lang, headers, honestyPage, pageHeaders);
  const language =
    supportedLanguage(lang) ?? languageOf(...acceptedLanguages(headers.get("accept-language")), client.locale);
  const t = publicText(language);
  return plainPage({ language, shop: brandOf(client), heading: t("testStore.mark"), text: t("testStore.noLog") });
}

/** The statement as HTML for the store's own pages. Throws `not_found` for an unknown client. */
export const showHonestyStatement = (
  clientId: string,
  lang: string | undefined,
  headers: Headers,
): Promise<Reply<undefined>> =>
  showInLanguage("statement", clientId, lang, headers, statementFragment, {
    "Content-Security-Policy":
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups",
  });

/** The badge as SVG. Throws `not_found` for an unknown client, and if the store hides it. */
export async function showHonestyBadge(
  clientId: string,
  lang: string | undefined,
  headers: Headers,
): Promise<Reply<undefined>> {
  const client = await getClient(clientId);
  if (client?.config.hide_honesty_badge === true) throw new AppError("not_found", { reason: "badge_hidden" });
  return showInLanguage("badge", clientId, lang, headers, honestyBadge, {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  });
}

/** The figures as JSON. Throws `not_found` for an unknown client. */
export const showHonestyFigures = (clientId: string, headers: Headers): Promise<Reply<HonestyFigures>> =>
  show("json", clientId, headers, {}, (_, { checkpoint, figures }) => JSON.stringify({ checkpoint, ...figures }));

/** The figures as CSV. Throws `not_found` for an unknown client. */
export const showHonestyCsv = (clientId: string, headers: Headers): Promise<Reply<undefined>> =>
  show("csv", clientId, headers, { "Content-Disposition": 'attachment; filename="figures.csv"' }, (_, { figures }) =>
    figuresCsv(figures),
  );

async function showInLanguage(
  name: string,
  clientId: string,
  lang: string | undefined,
  headers: Headers,
  make: (client: ClientRow, stored: StoredFigures, language: Language) => string,
  more: Record<string, string>,
): Promise<Reply<undefined>> {
  const client = await getClient(clientId);
  const asked = supportedLanguage(lang);
  const language = asked ?? languageOf(...acceptedLanguages(headers.get("accept-language")), client?.locale);
  return show(
    `${name}.${language}`,
    clientId,
    headers,
    { ...more, "Content-Language": language, ...(asked === undefined && { Vary: "Accept-Language" }) },
    (current, stored) => make(current, stored, language),
  );
}

/** A response from the cache if it's as new as the store's settings and figures. */
async function show<T>(
  name: string,
  clientId: string,
  requestHeaders: Headers,
  more: Record<string, string>,
  make: (client: ClientRow, stored: StoredFigures) => string,
): Promise<Reply<T>> {
  const client = await getClient(clientId);
  // A test store has no log to compute figures from.
  if (!client || isTestStore(client)) throw unknownClient();
  const time = await timeOfFigures(clientId);
  const key = JSON.stringify([clientId, name]);
  const version = `${client.version}.${time?.getTime() ?? ""}`;
  const cached = answerCache().get(key);
  const answer = time && cached?.version === version ? cached : await load(key, version, client, make);
  const headers = { ETag: answer.etag, "Cache-Control": "public, max-age=60, stale-while-revalidate=600", ...more };
  if (matchesEtag(requestHeaders.get("if-none-match"), answer.etag))
    return new Reply<T>(undefined, { status: 304, headers });
  return new Reply<T>(new RawJson(answer.bytes), { headers });
}

async function load(
  key: string,
  version: string,
  client: ClientRow,
  make: (client: ClientRow, stored: StoredFigures) => string,
): Promise<Answer> {
  const bytes = new TextEncoder().encode(make(client, await readFigures(client.id)));
  const answer = { clientId: client.id, version, bytes, etag: etagOf(bytes) };
  answerCache().set(key, answer);
  return answer;
}
