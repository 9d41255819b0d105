import { type EngagementAnswer, errorOf, isPassing, isUnanswered } from "@/lib/integrations/engagement/client";
import { AppError } from "@/lib/platform/errors";
import { englishFor } from "@/lib/platform/i18n/english-errors";
import type { Notice } from "@/lib/platform/issue";
import { type Kept, keepAll } from "@/lib/platform/notices";

/** Why something is not told now; `reason` is kept with the delivery. It is tried again. */
export class DeliveryError extends Error {
  constructor(
    readonly reason: FaultReason,
    readonly notices: readonly Notice[],
    /** concerns every delivery of the client: its key, its settings */
    readonly everywhere: boolean = false,
    /** what was asked for is refused itself, so that asking again as it is helps nothing */
    readonly final: boolean = false,
    /** the platform said something, whatever it was */
    readonly answered: boolean = true,
  ) {
    super(notices.map(({ reason, params }) => englishFor(reason, params)).join(" "));
    this.name = "Fault";
  }

  get kept(): Kept {
    return keepAll(this.notices);
  }
}

export type FaultReason = "unavailable" | "too_many_requests" | "key_refused" | "schema_differs" | "refused";

/** What an answer that is not the hoped-for one means. */
export function faultOf(answer: EngagementAnswer): DeliveryError {
  const said = [errorOf(answer)];
  if (answer.status === 429) return new DeliveryError("too_many_requests", said);
  if (answer.status === 401 || answer.status === 403) return new DeliveryError("key_refused", said, true);
  if (isUnanswered(answer)) return new DeliveryError("unavailable", said, false, false, false);
  return isPassing(answer)
    ? new DeliveryError("unavailable", said)
    : new DeliveryError("refused", said, false, isFinal(answer));
}

/** A bill to be paid, what is missing and may be made anew, a conflict, a lock: another day may answer otherwise. */
const mayChange: readonly number[] = [402, 404, 407, 409, 410, 423, 425];
const isFinal = ({ status }: EngagementAnswer): boolean => status >= 400 && status < 500 && !mayChange.includes(status);

/** What went wrong, as far as the platform or its address did it; anything else is a fault of ours and is thrown. */
export function asDeliveryError(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  if (!(error instanceof AppError)) throw error;
  if (error.code === "unavailable") return new DeliveryError("unavailable", error.issues, false, false, false);
  return new DeliveryError("refused", error.issues, true, false, false);
}

/** The delivery was taken away or over while it was worked on: whoever has it now goes on. */
export class Lost extends Error {}
