import { z } from "zod";
import { filledText } from "@/lib/http/fields";

/** What the shop replies to in public: reviews and seller reviews (their `responses`), questions (their answers). */
export const repliedKinds = ["review", "seller_review", "question"] as const;
export type RepliedKind = (typeof repliedKinds)[number];

export const LONGEST_REPLY = 5_000;

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
