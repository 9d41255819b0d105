/** Published product reviews of a period, their replies, and moderation. Times are medians from receipt. */
export type ReviewFigures = {
  published: number;
  /** null if none is published */
  average: number | null;
  /** by score, 1 to 5 */
  dist: readonly [number, number, number, number, number];
  /** published ones with a reply */
  replied: number;
  /** to the first reply, without imported reviews */
  reply_hours: number | null;
  decided: number;
  decision_hours: number | null;
};

/** Invitations and reminders sent in a period, and how many of them have led to a review. */
export type EmailFigures = { sent: number; answered: number };

/** A product whose average differs between the periods. `name` is null if it isn't in the catalog. */
export type ChangedProduct = { id: string; name: string | null; average: number; average_before: number };

/** The last 30 days (`from` to `to`) and the 30 days before, which are null if not everything could be counted. */
export type PeriodFigures = {
  from: string;
  to: string;
  reviews: ReviewFigures;
  reviewsBefore: ReviewFigures | null;
  emails: EmailFigures;
  emailsBefore: EmailFigures | null;
  /** with the largest increases and decreases of their averages, the largest first */
  risen: ChangedProduct[];
  fallen: ChangedProduct[];
  /** Number counted, and the first day counted if there are more; otherwise null. */
  reviewsCapped: Capped | null;
  emailsCapped: Capped | null;
};

export type Capped = { counted: number; since: string };
