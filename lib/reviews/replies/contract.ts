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
  summary: "Reply to a review or seller review, or answer a question",
  description: "A repeated text by the same person within a minute is stored once.",
  params: ReplyTarget,
  body: NewReply,
  status: 201,
  response: single(WrittenReply),
});

export const editReplyContract = endpoint({
  ...shared,
  id: "portal.replies.update",
  method: "PUT",
  path: "/portal/api/v1/queue/{kind}/{id}/replies/{reply}",
  summary: "Edit a reply or answer",
  params: ReplyParams,
  body: ReplyChange,
  status: 204,
});

export const removeReplyContract = endpoint({
  ...shared,
  id: "portal.replies.remove",
  method: "DELETE",
  path: "/portal/api/v1/queue/{kind}/{id}/replies/{reply}",
  summary: "Delete a reply or answer",
  params: ReplyParams,
  status: 204,
});

export const listTemplatesContract = endpoint({
  ...shared,
  id: "portal.reply_templates.list",
  method: "GET",
  path: "/portal/api/v1/reply_templates",
  summary: "List reply templates by name",
  response: z.object({ data: z.array(ReplyTemplate) }),
});

export const saveTemplateContract = endpoint({
  ...shared,
  id: "portal.reply_templates.create",
  method: "POST",
  path: "/portal/api/v1/reply_templates",
  summary: "Create a reply template, or replace the one with the same name",
  body: NewTemplate,
  status: 201,
  response: single(WrittenReply),
});

export const removeTemplateContract = endpoint({
  ...shared,
  id: "portal.reply_templates.remove",
  method: "DELETE",
  path: "/portal/api/v1/reply_templates/{id}",
  summary: "Delete a reply template",
  params: TemplateParams,
  status: 204,
});
