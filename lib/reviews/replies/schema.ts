import { z } from "zod";
import { filledText } from "@/lib/platform/http/fields";
import { MAX_REPLY_LENGTH } from "@/lib/reviews/replies/values";

/** What the store can reply to in public: reviews and seller reviews (their `responses`), questions (their answers). */
export const repliedKinds = ["review", "seller_review", "question"] as const;
export type RepliedKind = (typeof repliedKinds)[number];

const replyText = filledText(MAX_REPLY_LENGTH).meta({ description: "Text of the reply, as shown." });

export const NewReply = z.object({
  text: replyText,
  author: filledText(255).optional().meta({ description: "Author of the reply. Default: the store's name." }),
  accept: z
    .boolean()
    .optional()
    .meta({ description: "Whether to also accept the pending item that the reply is for." }),
});
export type NewReply = z.output<typeof NewReply>;

export const ReplyChange = z.object({ text: replyText });

export const ReplyTarget = z.object({ kind: z.enum(repliedKinds), id: z.string().min(1).max(64) });
export const ReplyParams = ReplyTarget.extend({ reply: z.string().min(1).max(64) });

export const WrittenReply = z.object({ id: z.string() });

/** Maximum templates per client. */
export const MAX_TEMPLATES = 100;

/** A reply template with placeholders such as `{author}`: see {@link places}. */
export const ReplyTemplate = z.object({ id: z.string(), name: z.string(), text: z.string() });
export type ReplyTemplate = z.infer<typeof ReplyTemplate>;

export const NewTemplate = z.object({
  name: filledText(80).meta({ description: "Unique name of the template." }),
  text: replyText.meta({ description: "Text, with `{author}`, `{product}` and `{shop}` as placeholders." }),
});
export type NewTemplate = z.output<typeof NewTemplate>;

export const TemplateParams = z.object({ id: z.string().min(1).max(64) });
