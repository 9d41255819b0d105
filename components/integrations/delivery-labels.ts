import type { Tone } from "@/components/ui/badge";
import type { DeliveryLine, SentDeliveries } from "@/lib/integrations/schema";
import { textFor } from "@/lib/platform/i18n/text-for";
import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";

export const outcomeLabels: Record<DeliveryLine["outcome"], { word: MessageKey; tone: Tone }> = {
  pending: { word: "deliveries.pending", tone: "warn" },
  sent: { word: "deliveries.sent", tone: "good" },
  imported: { word: "deliveries.imported", tone: "good" },
  skipped: { word: "deliveries.skipped", tone: "plain" },
  failed: { word: "common.failed", tone: "bad" },
};

const deliveryKinds: Record<string, MessageKey> = {
  interaction: "deliveries.kindInteraction",
  attributes: "deliveries.kindContactRatings",
  "interaction.removal": "deliveries.kindInteractionDeletion",
  "interaction.search": "deliveries.kindInteractionSearch",
  "attributes.rewrite": "deliveries.kindContactRatingsUpdate",
  order: "common.order",
  order_refused: "deliveries.kindOrderNotImported",
  order_item_refused: "deliveries.kindItemNotImported",
  contact_refused: "deliveries.kindContactNotImported",
  store_refused: "deliveries.kindStoreNotImported",
  article_refused: "deliveries.kindArticleNotImported",
};

/** The kind of a delivery, as the list shows it. */
export const deliveryKindLabel = (kind: string, t: Translate): string =>
  textFor(deliveryKinds, kind, t) ?? kind.replaceAll(/[._]/g, " ");

const reasons: Record<string, MessageKey> = {
  unverified_email: "deliveries.reasonEmailNotVerified",
  no_contact: "deliveries.reasonNoContact",
  ambiguous_contact: "deliveries.reasonSeveralContacts",
  no_email: "deliveries.reasonNoEmail",
  no_reviews: "deliveries.reasonNoReviews",
  not_accepted: "deliveries.reasonNotPublished",
  unavailable: "deliveries.reasonUnavailable",
  too_many_requests: "deliveries.reasonRateLimit",
  key_refused: "deliveries.reasonKeyRejected",
  schema_differs: "deliveries.reasonSchemaMismatch",
  refused: "deliveries.reasonRejected",
  not_offered: "deliveries.reasonNotAvailable",
};

/** Why something was not sent. Unknown codes are shown as words; messages of the other system are shown unchanged. */
export const deliveryReasonLabel = (reason: string, t: Translate): string =>
  textFor(reasons, reason, t) ?? (/^[a-z]+(_[a-z]+)*$/.test(reason) ? reason.replaceAll("_", " ") : reason);

/** Why a review is not sent to the engagement platform. */
export const notSentLabels: Record<NonNullable<NonNullable<SentDeliveries["engagement"]>["untold"]>, MessageKey> = {
  imported: "deliveries.notSentImported",
  before_connection: "deliveries.notSentBeforeConnection",
  about_to: "deliveries.sendingSoon",
};
