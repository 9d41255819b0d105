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

/** Why a delivery failed for now; `reason` is stored with it. It will be retried. */
export class DeliveryError extends Error {
  constructor(
    readonly reason: DeliveryErrorReason,
    readonly notices: readonly Notice[],
    /** affects all deliveries of the client, such as a wrong key or setting */
    readonly affectsAllDeliveries: boolean = false,
    /** the request itself was rejected, so an unchanged retry won't help */
    readonly final: boolean = false,
    /** whether the platform responded at all */
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

/** The error for an unsuccessful response. */
export function toDeliveryError(answer: EngagementResponse): DeliveryError {
  const notices = [errorOf(answer)];
  if (answer.status === 429) return new DeliveryError("too_many_requests", notices);
  if (answer.status === 401 || answer.status === 403) return new DeliveryError("key_refused", notices, true);
  if (isGatewayTimeout(answer)) return new DeliveryError("unavailable", notices, false, false, false);
  return isTransientResponse(answer)
    ? new DeliveryError("unavailable", notices)
    : new DeliveryError("refused", notices, false, isFinal(answer));
}

/** Payment required, not found, conflicts, locks: a later retry may succeed. */
const temporaryStatuses: readonly number[] = [402, 404, 407, 409, 410, 423, 425];
const isFinal = ({ status }: EngagementResponse): boolean =>
  status >= 400 && status < 500 && !temporaryStatuses.includes(status);

/** Converts errors caused by the platform or its address; throws others, which are our own. */
export function asDeliveryError(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  if (!(error instanceof AppError)) throw error;
  if (error.code === "unavailable") return new DeliveryError("unavailable", error.issues, false, false, false);
  return new DeliveryError("refused", error.issues, true, false, false);
}

/** The delivery was deleted or claimed by another worker meanwhile. */
export class DeliveryLostError extends Error {}
