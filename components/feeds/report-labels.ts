import { textFor } from "@/lib/platform/i18n/text-for";
import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";
import { repairMessages } from "@/lib/platform/parsing/values";

// Texts for why an import rejected rows and values.

const reasons: Record<string, MessageKey> = {
  doubled: "importReports.rowDuplicate",
  id_missing: "importReports.rowIdMissing",
  id_too_long: "importReports.rowIdTooLong",
  name_missing: "importReports.rowNameMissing",
  order_id_missing: "importReports.rowOrderIdMissing",
  customer_id_missing: "importReports.rowCustomerMissing",
  opt_out_invalid: "importReports.rowOptOutInvalid",
  delivery_date_invalid: "importReports.rowDeliveryDateInvalid",
  reviewable_invalid: "importReports.rowReviewableInvalid",
  erased: "importReports.rowPersonDeleted",
  truncated: "importReports.rowTruncated",
  too_long: "importReports.rowTooLong",
  unreadable: "common.unreadable",
  not_an_object: "importReports.rowNotObject",
  product_id_missing: "importReports.rowProductIdMissing",
  product_id_too_long: "importReports.rowProductIdTooLong",
  source_missing: "importReports.rowSourceMissing",
  source_too_long: "importReports.rowSourceTooLong",
  kind_invalid: "importReports.rowKindInvalid",
  locale_invalid: "importReports.rowLocaleInvalid",
  country_invalid: "importReports.rowCountryInvalid",
  count_missing: "importReports.rowCountMissing",
  count_invalid: "importReports.rowCountInvalid",
  score_dist_invalid: "importReports.rowScoreDistInvalid",
  date_invalid: "importReports.rowDateInvalid",
  extract_invalid: "importReports.rowTextTooLong",
  not_published: "importReports.rowNotPublished",
  product_missing: "importReports.rowProductMissing",
  external_id_invalid: "importReports.rowIdTooLong",
  score_missing: "importReports.rowScoreMissing",
  score_invalid: "importReports.rowScoreInvalid",
  question_missing: "importReports.rowQuestionMissing",
  date_in_future: "importReports.rowDateInFuture",
  seller_review: "importReports.rowSellerReview",
  product_review: "importReports.rowProductReview",
  parent_missing: "importReports.rowParentMissing",
  ids_conflict: "importReports.rowIdsConflict",
  id_invalid: "importReports.rowIdInvalid",
};

/** Why a row was rejected: also `<field>_invalid` of any field. Unknown reasons are shown as words. */
export function rejectReasonLabel(reason: string, t: Translate): string {
  const known = textFor(reasons, reason, t);
  if (known !== undefined) return known;
  const field = /^([a-z]+(?:_[a-z]+)*)_invalid$/.exec(reason)?.[1];
  if (field !== undefined) return t("importReports.rowFieldInvalid", { field });
  return /^[a-z]+(_[a-z]+)*$/.test(reason)
    ? `${reason.charAt(0).toUpperCase()}${reason.slice(1).replaceAll("_", " ")}`
    : reason;
}

const issues: Record<string, MessageKey> = {
  not_an_address: "importReports.valueNotUrl",
  not_an_amount: "importReports.valueNotAmount",
  not_a_flag: "importReports.valueNotFlag",
  not_a_gtin: "importReports.valueNotGtin",
  too_long: "importReports.valueTooLong",
  not_an_answer: "importReports.valueNotAnswer",
  appeal_open: "importReports.valueAppealOpen",
  doubled: "importReports.photoDuplicate",
  too_many: "importReports.photoTooMany",
  taken: "importReports.photoTaken",
  missing: "importReports.photoMissing",
  unreadable: "importReports.photoUnreadable",
  not_fetched: "importReports.photoNotFetched",
};

export const valueIssueLabel = (reason: string, t: Translate): string =>
  textFor(issues, reason, t) ?? reason.replaceAll("_", " ");

/** Reports of earlier versions may have kinds that no longer exist; their English text is stored in the report. */
export const correctionLabel = ({ kind, message }: { kind: string; message: string }, t: Translate): string =>
  textFor(repairMessages, kind, t) ?? message;
