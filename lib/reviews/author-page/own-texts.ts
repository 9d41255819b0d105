import type { ModeratedKind } from "@/lib/reviews/decisions/schema";

// What pages for an author show of each of their texts, and where such a page begins.

/** A text as its author's pages show it. */
export type OwnText = {
  kind: ModeratedKind;
  id: string;
  product: string | null;
  score: number | null;
  lang: string | null;
  headline: string | null;
  words: string;
  created_at: Date;
};

const shared = (kind: ModeratedKind) => `'${kind}' as kind, r.id, r.lang, r.created_at`;

/** Points of a review, each on a line of its own after the mark of its list; null without any. */
const pointsSql = (points: string, mark: string) =>
  `'${mark} ' || nullif(array_to_string(${points}, E'\\n${mark} '), '')`;

/** The columns of an {@link OwnText}, of a row `r` of the kind's table. */
export const ownTextColumns: Record<ModeratedKind, string> = {
  review: `${shared("review")}, r.product_name as product, r.score, r.title as headline,
      concat_ws(E'\\n', nullif(r.extract, ''), ${pointsSql("r.pros", "+")}, ${pointsSql("r.cons", "−")}) as words`,
  seller_review: `${shared("seller_review")}, null as product, r.score, r.title as headline, r.extract as words`,
  question: `${shared("question")}, r.product_name as product, null::smallint as score, r.question as headline, r.details as words`,
};

/** A position in a list with the newest first; what follows is older. */
export type TextPosition = Pick<OwnText, "created_at" | "id">;

/** A position as text, for a link. */
export const positionText = ({ created_at, id }: TextPosition): string => `${created_at.getTime()}.${id}`;

/** The position from a link. Null (the first page) if it is invalid. */
export function readPosition(text: string | undefined): TextPosition | null {
  const [, time, id] = /^(\d{1,14})\.([0-9a-f]{16})$/.exec(text ?? "") ?? [];
  return time && id ? { created_at: new Date(Number(time)), id } : null;
}
