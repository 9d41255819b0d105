import { AppError } from "@/lib/platform/errors";
import type { ModerationStatus, RejectReason } from "@/lib/reviews/decisions/schema";

/** Seconds in which a decision or reply made in the portal can be undone before events are sent. */
export const UNDO_SECONDS = 10;

/** Moderation state of `accepted`: true, false or null. */
export const stateOf = (accepted: boolean | null): ModerationStatus =>
  accepted === null ? "pending" : accepted ? "accepted" : "rejected";

type Decision = { accepted: boolean | null; reject_reason: string | null };

/**
 * The state after a change, or null if it changes nothing. Absent keys stay: a reason without `accepted` changes a
 * rejection's reason. A rejection without a reason gets `unspecified`; a reason without a rejection is an issue.
 */
export function nextDecision(
  current: Decision,
  change: { accepted?: boolean | null; reject_reason?: RejectReason | null },
): Decision | null {
  const accepted = change.accepted === undefined ? current.accepted : change.accepted;
  if (change.reject_reason && accepted !== false) {
    throw new AppError("invalid_field", {
      field: "review.reject_reason",
      issues: [{ field: "review.reject_reason", reason: "only_when_rejected" }],
    });
  }
  const currentReason = current.accepted === false && change.reject_reason === undefined ? current.reject_reason : null;
  const reason = accepted === false ? (change.reject_reason ?? currentReason ?? "unspecified") : null;
  return accepted === current.accepted && reason === current.reject_reason ? null : { accepted, reject_reason: reason };
}
