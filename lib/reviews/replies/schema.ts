import { z } from "zod";
import { filledText } from "@/lib/platform/http/fields";
import { LONGEST_REPLY } from "@/lib/reviews/replies/values";

/** What the shop replies to in public: reviews and seller reviews (their `responses`), questions (their answers). */
export const repliedKinds = ["review", "seller_review", "question"] as const;
export type RepliedKind = (typeof repliedKinds)[number];

const replyText = filledText(LONGEST_REPLY).meta({ description: "What the shop says, as it is shown." });

export const NewReply = z.object({
  text: replyText,
  author: filledText(255).optional().meta({ description: "Who says it; the shop's name unless given." }),
  accept: z.boolean().optional().meta({ description: "Accept what is replied to as well, where it is pending." }),
});
export type NewReply = z.output<typeof NewReply>;

export const ReplyChange = z.object({ text: replyText });

export const ReplyTarget = z.object({ kind: z.enum(repliedKinds), id: z.string().min(1).max(64) });
export const ReplyParams = ReplyTarget.extend({ reply: z.string().min(1).max(64) });

export const WrittenReply = z.object({ id: z.string() });

/** How many a client may have: more than anybody finds one in. */
export const MOST_TEMPLATES = 100;

/** A text to reply with, with places such as `{author}`: see {@link places}. */
export const ReplyTemplate = z.object({ id: z.string(), name: z.string(), text: z.string() });
export type ReplyTemplate = z.infer<typeof ReplyTemplate>;

export const NewTemplate = z.object({
  name: filledText(80).meta({ description: "By which it is picked; unlike the others'." }),
  text: replyText.meta({ description: "With `{author}`, `{product}` and `{shop}` where these are to stand." }),
});
export type NewTemplate = z.output<typeof NewTemplate>;

export const TemplateParams = z.object({ id: z.string().min(1).max(64) });
