import { createHash } from "node:crypto";
import { type EngagementClient, isNotFound, isSuccess, pathSegment } from "@/lib/integrations/engagement/client";
import { DeliveryError, toDeliveryError } from "@/lib/integrations/engagement/delivery-error";

/** Maximum length of a comment; the platform documents no limit. */
const MAX_COMMENT_LENGTH = 4_000;

export type ReviewContent = {
  product_id: string | null;
  family_id: string | null;
  score: number;
  extract: string;
};

/** The payload: only fields that the schema declares. */
export const payloadOf = ({ product_id, family_id, score, extract }: ReviewContent) => ({
  productSku: product_id ?? family_id ?? "",
  rating: score,
  comment: truncateComment(extract),
});
export type Payload = ReturnType<typeof payloadOf>;

/** Identifies what was posted, even if the review was edited since. */
export const digestOf = ({
  productSku,
  rating,
  comment,
}: Record<keyof Payload, unknown> | Record<string, unknown>): string =>
  createHash("sha256")
    .update(JSON.stringify([productSku, rating, comment]))
    .digest("base64url");

/** Truncates between characters. */
function truncateComment(text: string): string {
  if (text.length <= MAX_COMMENT_LENGTH) return text;
  const characters = [...text];
  return characters.length <= MAX_COMMENT_LENGTH ? text : `${characters.slice(0, MAX_COMMENT_LENGTH - 1).join("")}…`;
}

/** A time in whole seconds, as it is sent. */
export const toTimestamp = (moment: Date): string => `${moment.toISOString().slice(0, 19)}Z`;

export type RemoteInteraction = {
  id: string;
  created: string;
  payload: Record<string, unknown>;
};

/** Maximum pages of a contact's interactions to read. */
const MAX_PAGES = 200;

/** All interactions of a contact with a schema. Throws {@link DeliveryError}. */
export async function* listInteractions(
  ask: EngagementClient,
  contact: string,
  schema: string,
): AsyncGenerator<RemoteInteraction> {
  const path = `/interactions?contactId=${pathSegment(contact)}&schemaId=${pathSegment(schema)}`;
  let next: string | null = "";
  for (let page = 0; next !== null; page += 1) {
    if (page >= MAX_PAGES) throw new DeliveryError("unavailable", [{ reason: "interactions_endless" }]);
    const answer = await ask("GET", next === "" ? path : `${path}&continuation=${pathSegment(next)}`);
    // Not found on the first page: the contact has none. On a later page, the list is gone and its rest unknown.
    if (isNotFound(answer) && page === 0) return;
    if (isNotFound(answer)) throw new DeliveryError("unavailable", [{ reason: "interactions_cut_short" }]);
    if (!isSuccess(answer)) throw toDeliveryError(answer);
    const { items, links } = (answer.body ?? {}) as {
      items?: unknown;
      links?: unknown;
    };
    if (!Array.isArray(items)) throw new DeliveryError("unavailable", [{ reason: "interactions_unreadable" }]);
    for (const item of items as ({ id?: unknown; createdDate?: unknown; payload?: unknown } | null)[]) {
      // Include interactions without a readable id: otherwise their review would be posted again.
      const { id, createdDate, payload } = item ?? {};
      const moment = new Date(String(createdDate));
      yield {
        id: typeof id === "string" || typeof id === "number" ? String(id) : "",
        created: Number.isNaN(moment.getTime()) ? "" : toTimestamp(moment),
        payload: (payload ?? {}) as Record<string, unknown>,
      };
    }
    next = continuationToken(links);
  }
}

/** Uses only the link's token, so that the key isn't sent to another address. */
function continuationToken(links: unknown): string | null {
  if (!Array.isArray(links)) return null;
  const link = links.find((one) => one?.rel === "next" && typeof one.href === "string");
  if (!link || !URL.canParse(link.href, "https://tenant.example")) return null;
  // An empty token would request the first page again.
  return new URL(link.href, "https://tenant.example").searchParams.get("continuation") || null;
}

/** Whether it has this time and content. */
export const isSameInteraction = (one: RemoteInteraction, created: string, digest: string): boolean =>
  one.created === created && digestOf(one.payload) === digest;
