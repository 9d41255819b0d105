import { z } from "zod";
import { biasQuestions } from "@/lib/honesty/bias/find-bias";
import { text } from "@/lib/platform/http/fields";

export const HonestyParams = z.object({ client_id: z.string() });

export const HonestyPageQuery = z.object({
  lang: text(35).optional().meta({ description: "Language of the page. Default: the browser's, else the store's." }),
});

export const ReceiptParams = HonestyParams.extend({ token: text(200) });

const count = z.int().min(0);
const byStars = z
  .object({ total: count, stars: z.array(count).length(5) })
  .meta({ description: "Total, and numbers with one to five stars." });
const byDecider = z.object({ author: count, rule: count, person: count, key: count, system: count });
const times = z.object({
  count,
  median: count.nullable().meta({ description: "Least minutes in which at least half were published." }),
  p90: count.nullable().meta({ description: "Least minutes in which at least 90% were published." }),
});

const ReviewFigures = z.object({
  received: byStars.meta({
    description:
      "All reviews. Each is in one of `published`, `pending`, `unconfirmed`, `rejected`, `removed`, `deleted`, `undone` and `erased`, with the stars that it has now.",
  }),
  published: byStars,
  pending: byStars.meta({ description: "Not decided yet." }),
  waiting: byStars.meta({ description: "Pending for more than seven days." }),
  unconfirmed: byStars.meta({ description: "The author hasn't confirmed the address, so the store doesn't decide." }),
  rejected: byStars.meta({ description: "Rejected, and never published." }),
  removed: byStars.meta({ description: "Published before, rejected now." }),
  deleted: byStars.meta({ description: "Deleted by the store." }),
  deleted_published: byStars.meta({ description: "Deleted by the store while published." }),
  undone: byStars.meta({ description: "Deleted with an import that was undone." }),
  erased: byStars.meta({ description: "Deleted with the author's personal data." }),
  erased_published: byStars.meta({ description: "Deleted with the author's personal data while published." }),
  published_share: z.object({ published: byStars, of: byStars }).meta({
    description:
      "Without imported reviews: the published ones, of those that are published, rejected, removed, deleted or waiting.",
  }),
  reasons: z.record(z.string(), byStars).meta({ description: "Rejected and removed reviews by reason." }),
  decided_by: z.object({ published: byDecider, rejected: byDecider }),
  time_to_publish: times.extend({ stars: z.array(times).length(5) }).meta({
    description:
      "Minutes, rounded down, from when a review arrived or its author confirmed the address until it was first published. Without imported reviews.",
  }),
  invited: byStars.meta({ description: "Published ones from invitations." }),
  imported: byStars.meta({ description: "Published ones from imports." }),
  verified_buyer: byStars.meta({ description: "Published ones by known buyers." }),
  verified_email: byStars.meta({ description: "Published ones of which only the address is confirmed." }),
  incentivized: byStars.meta({ description: "Published ones whose author was offered something." }),
  replied: byStars.meta({ description: "Published ones that the store replied to." }),
  store_edits: z.object({ total: count, raised: count, lowered: count, fields: z.record(z.string(), count) }),
  author_edits: z.object({ total: count, raised: count, lowered: count }),
  reports: z.object({ total: count, open: count, kept: count, gone: count }),
});

const biasGroup = z.object({
  reviews: count,
  count,
  median: count.nullable().meta({ description: "Of `time_to_publish`: minutes until half were published." }),
});

const BiasFinding = z.object({
  question: z.enum(biasQuestions).meta({
    description: "`time_to_publish`: `count` were published later than half of all. Others: `count` were so.",
  }),
  since: z.string().meta({ description: "The look that began it. Looks are each Monday, 0:00 UTC." }),
  until: z.string().meta({ description: "The last look." }),
  from: z.string().meta({ description: "Reviews that arrived from then until the last look, without imported ones." }),
  low: biasGroup.meta({ description: "Reviews with one or two stars." }),
  high: biasGroup.meta({ description: "Reviews with four or five stars." }),
  p: z.number().meta({ description: "Fisher's exact test at the last look, two-sided, with two digits." }),
});

/** A store's figures, with the head of the log that they were computed from. */
export const HonestyFigures = z.object({
  checkpoint: z
    .string()
    .meta({ description: "Signed head of the log that the figures are from. Empty without a log." }),
  as_of: z.string(),
  size: count.meta({ description: "Number of entries that the figures are from." }),
  began_at: z.string().nullable().meta({ description: "Entries before were made from the store's history." }),
  first_at: z.string().nullable(),
  reviews: ReviewFigures.meta({ description: "Product reviews and seller reviews together." }),
  product_reviews: ReviewFigures,
  seller_reviews: ReviewFigures,
  questions: z.object({
    received: count,
    published: count,
    pending: count,
    rejected: count,
    deleted: count,
    erased: count,
  }),
  bias: z.array(BiasFinding).meta({ description: "What has depended on stars for 30 days or longer." }),
  invitations: z
    .object({ first_day: z.string(), last_day: z.string(), sent: count, skipped: z.record(z.string(), count) })
    .nullable(),
  imports: z.object({ count, created: count, updated: count, undone: count }),
  settings: z.array(z.object({ at: z.string(), settings: z.record(z.string(), z.unknown()) })),
});
export type HonestyFigures = z.output<typeof HonestyFigures>;

export const HonestyReceipt = z.object({
  kind: z.enum(["review", "seller_review", "question"]),
  item: z.string().meta({ description: "How the log refers to it." }),
  status: z
    .enum(["pending", "unconfirmed", "published", "rejected", "deleted", "erased"])
    .meta({ description: "`unconfirmed`: pending until the author confirms the address." }),
  is_behind: z.boolean().meta({ description: "Something of it isn't in the log yet: ask again in some seconds." }),
  checkpoint: z.string().nullable().meta({ description: "The log's signed head. Null before its first entry." }),
  keys: z.array(z.string()).meta({ description: "Verifier keys of the checkpoint's signatures." }),
  entries: z
    .array(
      z.object({
        index: count,
        entry: z.string().meta({ description: "JSON, as the log has it." }),
        proof: z.array(z.string()).meta({ description: "Hashes of the inclusion proof, in base64." }),
      }),
    )
    .meta({ description: "Everything that the log says about it." }),
  how_to_verify: z.array(z.string()),
});
export type HonestyReceipt = z.input<typeof HonestyReceipt>;
