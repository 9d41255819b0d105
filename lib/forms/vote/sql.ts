import type { Db } from "@/lib/platform/db/pool";
import type { FeedbackTarget } from "@/lib/reviews/votes/cast-vote";

/** What the page shows of the review. */
type VotedReview = {
  product: string | null;
  score: number;
  lang: string | null;
  headline: string | null;
  words: string;
};

/** A displayed review; null if it isn't any more. */
export async function selectVotedReview(
  db: Db,
  { client_id, id }: Pick<FeedbackTarget, "client_id" | "id">,
): Promise<VotedReview | null> {
  const { rows } = await db.query<VotedReview>(
    `select product_name as product, score, lang, title as headline, extract as words from reviews
      where client_id = $1 and id = $2 and accepted`,
    [client_id, id],
  );
  return rows[0] ?? null;
}
