import type { Actor } from "@/lib/accounts/actor";
import { requireColleagues } from "@/lib/accounts/colleagues";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { Assignment, AssignmentInput } from "@/lib/moderation/assignments/schema";
import { lockItem } from "@/lib/moderation/queue/lock-item";
import { transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import type { DecidedKind } from "@/lib/reviews/decisions/schema";
import { deleteAssignment, selectAssignee, upsertAssignment } from "./sql";

/**
 * Assigns a pending item to a person who may moderate there, or unassigns it. Repeating a call changes nothing. Throws
 * `not_found`, `invalid_field`, and `conflict` if the item was decided or assigned to another person meanwhile.
 */
export function assignItem(
  actor: Pick<Actor, "id" | "role">,
  client: Pick<ClientRow, "id">,
  kind: DecidedKind,
  id: string,
  { user_id, from }: AssignmentInput,
): Promise<Assignment> {
  return transaction(async (db) => {
    const item = await lockItem(db, client.id, kind, id);
    const current = await selectAssignee(db, client.id, kind, id);
    if ((current?.id ?? null) === user_id) return { assigned: current };
    if (item.accepted !== null) throw new AppError("conflict", { reason: "decided_before_assigned" });
    if (current && current.id !== from)
      throw new AppError("conflict", { reason: "assigned_meanwhile", params: { name: current.name } });
    if (!current && from !== null) throw new AppError("conflict", { reason: "unassigned_meanwhile" });
    if (user_id === null) await deleteAssignment(db, client.id, kind, id);
    else {
      await requireColleagues(db, actor, client, [user_id], () => "user_id");
      await upsertAssignment(db, client.id, kind, id, user_id);
    }
    return { assigned: await selectAssignee(db, client.id, kind, id) };
  });
}
