import { z } from "zod";
import { Assignment, AssignmentInput } from "@/lib/moderation/assignments/schema";
import { ItemParams } from "@/lib/moderation/queue/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId, single } from "@/lib/platform/http/fields";

export const assignContract = endpoint({
  id: "portal.queue.assign",
  method: "PUT",
  path: "/portal/api/v1/queue/{kind}/{id}/assignment",
  tag: "Portal",
  summary: "Assign a pending item to a person, or unassign it",
  description:
    "A decision ends the assignment. If the item was assigned to another person meanwhile, nothing is changed.",
  auth: "session",
  role: "moderator",
  params: ItemParams,
  query: z.object({ client_id: clientId }),
  body: AssignmentInput,
  response: single(Assignment),
  errors: ["conflict"],
});
