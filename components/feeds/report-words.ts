import type { Words } from "@/lib/platform/i18n/rules";

// Why rows and values of a file were left out, as the report of its import says it.

const reasons: Record<string, string> = {
  doubled: "Comes again further down; the last row counts",
  id_missing: "Has no id",
  id_too_long: "Its id is longer than 255 characters",
  name_missing: "Has no name, and the catalogue does not know it",
  order_id_missing: "Has no order id",
  customer_id_missing: "Has neither a customer id nor an address",
  opt_out_invalid: "Its opt-out is neither yes nor no",
  delivery_date_invalid: "Its delivery date is no date",
  reviewable_invalid: "Its “reviewable” is neither yes nor no",
  erased: "Went with somebody whose data was erased",
  truncated: "The file ends in the middle of it",
  too_long: "Is longer than a row may be",
  unreadable: "Cannot be read",
  not_an_object: "Is no object",
  product_id_missing: "Has no product id",
  product_id_too_long: "Its product id is longer than 255 characters",
  source_missing: "Has no source",
  source_too_long: "Its source is too long",
  kind_invalid: "Its kind is neither pro nor user",
  locale_invalid: "Its locale is none such as en_US",
  country_invalid: "Its country is no code of two letters",
  count_missing: "Has no count",
  count_invalid: "Its count is no whole number",
  score_dist_invalid: "Its score_dist does not hold five counts",
  date_invalid: "Its date is no date",
  extract_invalid: "Its text is too long",
  not_published: "Was not published there",
  product_missing: "Names no product",
  external_id_invalid: "Its id is longer than 255 characters",
};

/** Why a row was left out. What is not known here is shown as the report names it, as words. */
export const reasonWords = (reason: string, t: Words): string =>
  t(
    reasons[reason] ??
      (/^[a-z]+(_[a-z]+)*$/.test(reason)
        ? `${reason.charAt(0).toUpperCase()}${reason.slice(1).replaceAll("_", " ")}`
        : reason),
  );

const issues: Record<string, string> = {
  not_an_address: "is no address on the web",
  not_a_gtin: "is no GTIN: its length or check digit is wrong",
  too_long: "is too long",
};

export const issueWords = (reason: string, t: Words): string => t(issues[reason] ?? reason.replaceAll("_", " "));
