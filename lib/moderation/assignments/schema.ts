import { z } from "zod";
import { Colleague } from "@/lib/accounts/schema";

const userId = z.string().min(1).max(64).nullable();

export const AssignmentInput = z.object({
  user_id: userId.meta({ description: "Person to assign the item to, or null to unassign it." }),
  from: userId.meta({
    description:
      "Person the item was assigned to when the caller loaded it. If that changed since, nothing is changed.",
  }),
});
export type AssignmentInput = z.output<typeof AssignmentInput>;

export const Assignment = z.object({ assigned: Colleague.nullable() });
export type Assignment = z.infer<typeof Assignment>;
