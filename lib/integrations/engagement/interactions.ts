import { createHash } from "node:crypto";
import { type Engagement, isDone, isMissing, part } from "@/lib/integrations/engagement/client";
import { DeliveryError, faultOf } from "@/lib/integrations/engagement/delivery-error";

/** Characters of a review's text that are told; the platform names no bound of its own. */
const LONGEST_COMMENT = 4_000;

export type Told = {
  product_id: string | null;
  family_id: string | null;
  score: number;
  extract: string;
};

/** What is told of a review: the fields that the schema declares and no other. */
export const payloadOf = ({ product_id, family_id, score, extract }: Told) => ({
  productSku: product_id ?? family_id ?? "",
  rating: score,
  comment: bounded(extract),
});
export type Payload = ReturnType<typeof payloadOf>;

/** By which what was posted is known again, though its review may have been edited since. */
export const digestOf = ({
  productSku,
  rating,
  comment,
}: Record<keyof Payload, unknown> | Record<string, unknown>): string =>
  createHash("sha256")
    .update(JSON.stringify([productSku, rating, comment]))
    .digest("base64url");

/** Cut between characters, never within one. */
function bounded(text: string): string {
  if (text.length <= LONGEST_COMMENT) return text;
  const characters = [...text];
  return characters.length <= LONGEST_COMMENT ? text : `${characters.slice(0, LONGEST_COMMENT - 1).join("")}…`;
}

/** A moment as it is told: whole seconds. */
export const told = (moment: Date): string => `${moment.toISOString().slice(0, 19)}Z`;

export type Posted = {
  id: string;
  created: string;
  payload: Record<string, unknown>;
};

/** Pages of a contact's interactions that are read at most. */
const MOST_PAGES = 200;

/** All interactions of a contact under a schema, as the platform has them. Throws {@link DeliveryError}. */
export async function* interactionsOf(ask: Engagement, contact: string, schema: string): AsyncGenerator<Posted> {
  const path = `/interactions?contactId=${part(contact)}&schemaId=${part(schema)}`;
  let next: string | null = "";
  for (let page = 0; next !== null; page += 1) {
    if (page >= MOST_PAGES) throw new DeliveryError("unavailable", [{ reason: "interactions_endless" }]);
    const answer = await ask("GET", next === "" ? path : `${path}&continuation=${part(next)}`);
    // A contact of whom there is nothing. In the middle of a list it is the list that went, and what follows is not known.
    if (isMissing(answer) && page === 0) return;
    if (isMissing(answer)) throw new DeliveryError("unavailable", [{ reason: "interactions_cut_short" }]);
    if (!isDone(answer)) throw faultOf(answer);
    const { items, links } = (answer.body ?? {}) as {
      items?: unknown;
      links?: unknown;
    };
    if (!Array.isArray(items)) throw new DeliveryError("unavailable", [{ reason: "interactions_unreadable" }]);
    for (const item of items as ({ id?: unknown; createdDate?: unknown; payload?: unknown } | null)[]) {
      // One without a readable id is there all the same: passed over, its review would be posted again.
      const { id, createdDate, payload } = item ?? {};
      const moment = new Date(String(createdDate));
      yield {
        id: typeof id === "string" || typeof id === "number" ? String(id) : "",
        created: Number.isNaN(moment.getTime()) ? "" : told(moment),
        payload: (payload ?? {}) as Record<string, unknown>,
      };
    }
    next = continuationIn(links);
  }
}

/** Only the token is taken from a link: the key is sent to no other address. */
function continuationIn(links: unknown): string | null {
  if (!Array.isArray(links)) return null;
  const link = links.find((one) => one?.rel === "next" && typeof one.href === "string");
  if (!link || !URL.canParse(link.href, "https://tenant.example")) return null;
  // An empty one would ask for the first page again.
  return new URL(link.href, "https://tenant.example").searchParams.get("continuation") || null;
}

/** Whether it is what was posted with this moment and this digest. */
export const isSame = (one: Posted, created: string, digest: string): boolean =>
  one.created === created && digestOf(one.payload) === digest;
