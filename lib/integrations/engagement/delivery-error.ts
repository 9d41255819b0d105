import {
  type EngagementResponse,
  errorOf,
  isGatewayTimeout,
  isTransientResponse,
} from "@/lib/integrations/engagement/client";
import { AppError } from "@/lib/platform/errors";
import { englishReason } from "@/lib/platform/i18n/english-errors";
import type { Notice } from "@/lib/platform/issue";
import { type EncodedNotices, encodeNoticeList } from "@/lib/platform/notices";

/** Why something is not told now; `reason` is kept with the delivery. It is tried again. */
export class DeliveryError extends Error {
  constructor(
    readonly reason: DeliveryErrorReason,
    readonly notices: readonly Notice[],
    /** concerns every delivery of the client: its key, its settings */
    readonly affectsAllDeliveries: boolean = false,
    /** what was asked for is refused itself, so that asking again as it is helps nothing */
    readonly final: boolean = false,
    /** the platform said something, whatever it was */
    readonly answered: boolean = true,
  ) {
    super(notices.map(({ reason, params }) => englishReason(reason, params)).join(" "));
    this.name = "DeliveryError";
  }

  get kept(): EncodedNotices {
    return encodeNoticeList(this.notices);
  }
}

export type DeliveryErrorReason = "unavailable" | "too_many_requests" | "key_refused" | "schema_differs" | "refused";

/** What an answer that is not the hoped-for one means. */
export function toDeliveryError(answer: EngagementResponse): DeliveryError {
  const notices = [errorOf(answer)];
  if (answer.status === 429) return new DeliveryError("too_many_requests", notices);
  if (answer.status === 401 || answer.status === 403) return new DeliveryError("key_refused", notices, true);
  if (isGatewayTimeout(answer)) return new DeliveryError("unavailable", notices, false, false, false);
  return isTransientResponse(answer)
    ? new DeliveryError("unavailable", notices)
    : new DeliveryError("refused", notices, false, isFinal(answer));
}

/** A bill to be paid, what is missing and may be made anew, a conflict, a lock: another day may answer otherwise. */
const temporaryStatuses: readonly number[] = [402, 404, 407, 409, 410, 423, 425];
const isFinal = ({ status }: EngagementResponse): boolean =>
  status >= 400 && status < 500 && !temporaryStatuses.includes(status);

/** What went wrong, as far as the platform or its address did it; anything else is a fault of ours and is thrown. */
export function asDeliveryError(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  if (!(error instanceof AppError)) throw error;
  if (error.code === "unavailable") return new DeliveryError("unavailable", error.issues, false, false, false);
  return new DeliveryError("refused", error.issues, true, false, false);
}

/** The delivery was taken away or over while it was worked on: whoever has it now goes on. */
export class DeliveryLostError extends Error {}
