import type { OutboxEvent } from "@/lib/platform/jobs/outbox/events";
import type { RepliedKind } from "@/lib/reviews/replies/schema";

/** The outbox event of a published or edited reply. */
export function repliedEvent(clientId: string, kind: RepliedKind, id: string, reply: string): OutboxEvent {
  if (kind === "question")
    return { name: "question/replied", data: { client_id: clientId, question_id: id, answer_id: reply } };
  if (kind === "review")
    return { name: "review/replied", data: { client_id: clientId, review_id: id, response_id: reply } };
  return { name: "seller_review/replied", data: { client_id: clientId, seller_review_id: id, response_id: reply } };
}
