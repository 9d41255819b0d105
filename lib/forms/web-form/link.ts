import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { WebFormLink } from "@/lib/forms/web-form/open-web-form";
import type { Language } from "@/lib/platform/i18n/languages";

/** Returns the URL to review an item of an order without an invitation. */
export const webFormLink = (
  client: Pick<ClientRow, "id">,
  item: { item_id: string; family_id: string | null; name: string | null },
  lang: Language,
): WebFormLink => ({
  client_id: client.id,
  key: item.item_id,
  url_key: item.family_id ?? undefined,
  name: item.name ?? undefined,
  lang,
});

/** Paths of the forms that stores link to. */
export const formPaths = { reviews: "/reviews/new", questions: "/questions/new" } as const;

/** `sent`: the confirmation page, with the token of what was stored's receipt. */
type FormPath = WebFormLink & { sent?: string; receipt?: string | null };

/** The web form's path and query for a link. */
export const webFormPath = (link: FormPath): string => `${formPaths.reviews}?${queryOf(link)}`;

/** The same for the question form. */
export const questionFormPath = (link: FormPath): string => `${formPaths.questions}?${queryOf(link)}`;

const QUERY_NAMES = [
  "client_id",
  "key",
  "url_key",
  "name",
  "lang",
  "noheader",
  "messageid",
  "url",
  "sent",
  "receipt",
] as const;

function queryOf(link: FormPath): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of QUERY_NAMES) {
    const value = link[name];
    if (typeof value === "string" && value !== "") query.set(name, value);
  }
  return query;
}
