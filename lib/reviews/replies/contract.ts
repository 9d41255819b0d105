import { z } from "zod";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId, single } from "@/lib/platform/http/fields";
import {
  NewReply,
  NewTemplate,
  ReplyChange,
  ReplyParams,
  ReplyTarget,
  ReplyTemplate,
  TemplateParams,
  WrittenReply,
} from "@/lib/reviews/replies/schema";

const shared = { tag: "Portal", auth: "session", role: "moderator", query: z.object({ client_id: clientId }) } as const;

export const writeReplyContract = endpoint({
  ...shared,
  id: "portal.replies.create",
  method: "POST",
  path: "/portal/api/v1/queue/{kind}/{id}/replies",
  summary: "Reply to a review or seller review in public, or answer a question",
  description: "The same text by the same person within a minute is written once.",
  params: ReplyTarget,
  body: NewReply,
  status: 201,
  response: single(WrittenReply),
});

export const changeReplyContract = endpoint({
  ...shared,
  id: "portal.replies.update",
  method: "PUT",
  path: "/portal/api/v1/queue/{kind}/{id}/replies/{reply}",
  summary: "Reword a reply or answer",
  params: ReplyParams,
  body: ReplyChange,
  status: 204,
});

export const removeReplyContract = endpoint({
  ...shared,
  id: "portal.replies.remove",
  method: "DELETE",
  path: "/portal/api/v1/queue/{kind}/{id}/replies/{reply}",
  summary: "Remove a reply or answer",
  params: ReplyParams,
  status: 204,
});

export const listTemplatesContract = endpoint({
  ...shared,
  id: "portal.reply_templates.list",
  method: "GET",
  path: "/portal/api/v1/reply_templates",
  summary: "Texts to reply with, by name",
  response: z.object({ data: z.array(ReplyTemplate) }),
});

export const saveTemplateContract = endpoint({
  ...shared,
  id: "portal.reply_templates.create",
  method: "POST",
  path: "/portal/api/v1/reply_templates",
  summary: "Keep a text to reply with; one of the same name is replaced",
  body: NewTemplate,
  status: 201,
  response: single(WrittenReply),
});

export const removeTemplateContract = endpoint({
  ...shared,
  id: "portal.reply_templates.remove",
  method: "DELETE",
  path: "/portal/api/v1/reply_templates/{id}",
  summary: "Remove a text to reply with",
  params: TemplateParams,
  status: 204,
});
