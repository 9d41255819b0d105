import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { incentiveOf, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { dayIn } from "@/lib/platform/clock";
import { transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { newReviewId, newToken } from "@/lib/platform/ids";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import { moderationDueEvents } from "@/lib/reviews/decisions/moderation-due";
import { languageOfTexts } from "@/lib/reviews/reviews/detect-language";
import { type StoredSellerReview, saveSellerReviewEdit } from "@/lib/reviews/seller-reviews/edit-seller-review";

export type SellerSubmission = {
  invitationId: string;
  orderId: string | null;
  customerId: string | null;
  author: string;
  authorEmail: string;
  authorIp: string | null;
  /** 1 to 5. */
  score: number;
  title: string | null;
  content: string;
  termsAgreedAt: Date | null;
  termsVersion: string | null;
};

/**
 * Stores an invited customer's seller review, or edits the one from the same invitation: it becomes pending, with the
 * old text in the history. Repeating it changes nothing. Returns its id. Throws `not_found` if the person was erased
 * meanwhile.
 */
export async function submitSellerReview(client: ClientRow, submission: SellerSubmission): Promise<string> {
  const { invitationId, author, score, title, content } = submission;
  const incentivized = incentiveOf(client) !== null;
  const lang = await languageOfTexts(client, [title, content]);
  return transaction(async (db) => {
    const { rowCount } = await db.query("select from invitations where client_id = $1 and id = $2 for update", [
      client.id,
      invitationId,
    ]);
    if (rowCount === 0) throw new AppError("not_found", { reason: "link_dead" });
    const { rows } = await db.query<StoredSellerReview & { incentivized: boolean }>(
      "select id, author, score, title, extract, accepted, incentivized from seller_reviews where client_id = $1 and invitation_id = $2 for update",
      [client.id, invitationId],
    );
    const known = rows[0];
    if (known && known.author === author && known.score === score && known.title === title && known.extract === content)
      return known.id;
    if (known) {
      const isMarked = incentivized && !known.incentivized;
      await saveSellerReviewEdit(
        db,
        client,
        known,
        { author, score, title, extract: content, lang },
        isMarked ? { incentivized: true } : {},
      );
      return known.id;
    }
    const id = newReviewId();
    await db.query(
      `insert into seller_reviews (client_id, id, source, author, author_email, email_key, author_ip, score, title, extract,
           lang, date, order_id, customer_id, invitation_id, verified_buyer, verified_email, incentivized, terms_agreed_at, terms_version, feedback_token)
         values ($1, $2, 'invitation', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, true, true, $15, $16, $17, $18)`,
      [
        client.id,
        id,
        author,
        submission.authorEmail,
        emailKey(submission.authorEmail),
        submission.authorIp,
        score,
        title,
        content,
        lang,
        dayIn(timeZoneOf(client)),
        submission.orderId,
        submission.customerId,
        invitationId,
        incentivized,
        submission.termsAgreedAt,
        submission.termsVersion,
        newToken(),
      ],
    );
    await db.query(
      `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, to_state)
       values ($1, 'seller_review', $2, 'author', 'submitted', 'pending')`,
      [client.id, id],
    );
    await enqueue(db, [
      { name: "seller_review/submitted", data: { client_id: client.id, seller_review_id: id } },
      ...moderationDueEvents(client, "seller_review", [id]),
    ]);
    return id;
  });
}
