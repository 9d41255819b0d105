import { validateAnswers } from "@/lib/accounts/stores/custom-answers";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import { addDays } from "@/lib/invitations/days";
import { withLocalDeliveryDay } from "@/lib/orders/local-delivery-day";
import type { OrderWrite } from "@/lib/orders/order-writes";
import type { Issue } from "@/lib/platform/issue";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import type { ReviewColumns } from "@/lib/reviews/reviews/review-row";
import { nonBlank } from "@/lib/reviews/reviews/rules";
import type { ReviewInput } from "@/lib/reviews/reviews/schema";

// Converts and validates review input of the management API or an import, without access to stored rows. Issues are at
// `review.…`, as in the API.

export const withReviewPrefix = (issues: readonly Issue[]): Issue[] =>
  issues.map((issue) => ({ ...issue, field: `review.${issue.field}` }));

/** Required answers may be missing, since these reviews weren't written in our forms. */
const answersOf = (questions: unknown[], { custom_questions }: ReviewInput) =>
  validateAnswers(questions as CustomQuestion[], custom_questions ?? {}, null, { checkRequired: false });

/** Validates an input independently of stored rows; `today` is the client's calendar day. */
export function inputIssues(
  { custom_questions }: { custom_questions: unknown[] },
  input: ReviewInput,
  today: string,
): Issue[] {
  const issues: Issue[] = [];
  if (input.date && input.date > addDays(today, 1)) issues.push({ field: "date", reason: "later_than_tomorrow" });
  if (input.accepted !== undefined && input.accepted !== false && input.reject_reason) {
    issues.push({ field: "reject_reason", reason: "only_when_rejected" });
  }
  issues.push(...answersOf(custom_questions, input).issues);
  return withReviewPrefix(issues);
}

/** Fields an input lacks to become a new review; an update may omit all of them. */
export function creationIssues(input: ReviewInput): Issue[] {
  const issues: Issue[] = [];
  const required = (field: string) => issues.push({ field, reason: "required_for_new_review" });
  if (!input.order) required("order");
  else if (!input.order.item) required("order.item");
  else if (!input.order.item.id && !input.order.item.family_id) required("order.item.id");
  if (input.author === undefined) required("author");
  if (input.score === undefined) required("score");
  if (input.accepted === undefined && input.reject_reason) {
    issues.push({ field: "reject_reason", reason: "only_when_rejected" });
  }
  return withReviewPrefix(issues);
}

/** An input's columns; undefined if not given. A null date counts as not given. */
function inputColumns(
  { custom_questions }: { custom_questions: unknown[] },
  { order, ...input }: ReviewInput,
): Partial<ReviewColumns> {
  const listed = (entries: string[] | null | undefined) => entries && nonBlank(entries);
  const email = input.author_email;
  return {
    external_id: input.external_id,
    product_id: order?.item?.id,
    family_id: order?.item?.family_id,
    product_name: order?.item?.name,
    product_url: order?.item?.url,
    category: order?.item?.category,
    order_id: order?.id,
    customer_id: order?.customer === null ? null : order?.customer?.id,
    author: input.author,
    author_email: email,
    email_key: email && emailKey(email),
    score: input.score,
    title: input.title,
    extract: input.extract === null ? "" : input.extract,
    pros: listed(input.pros) ?? (input.pros === null ? [] : undefined),
    cons: listed(input.cons) ?? (input.cons === null ? [] : undefined),
    recommended: input.recommended,
    answers: input.custom_questions === undefined ? undefined : answersOf(custom_questions, input).answers,
    lang: input.lang,
    incentivized: input.incentivized,
    date: input.date ?? undefined,
  };
}

const blank: Omit<ReviewColumns, "score" | "date"> = {
  external_id: null,
  product_id: null,
  family_id: null,
  product_name: null,
  product_url: null,
  category: null,
  author: null,
  author_email: null,
  email_key: null,
  title: null,
  extract: "",
  pros: [],
  cons: [],
  recommended: null,
  answers: {},
  lang: null,
  order_id: null,
  customer_id: null,
  verified_buyer: false,
  verified_email: false,
  incentivized: false,
};

type Settings = { custom_questions: unknown[] };

/** The columns of a new review from a valid input; {@link Completed} ones only from the input. */
export const newColumns = (settings: Settings, input: ReviewInput, today: string): ReviewColumns =>
  mergedColumns(settings, { ...blank, score: input.score as number, date: today }, input);

/**
 * A stored review's columns, updated by an input. If product, order or customer changes, the details of the old one
 * (names, family, category, address) are dropped, to be completed again. Input with both an order and a customer makes
 * a verified buyer.
 */
export function mergedColumns(settings: Settings, stored: ReviewColumns, input: ReviewInput): ReviewColumns {
  const columns = inputColumns(settings, input);
  const given = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
  const merged: ReviewColumns = { ...stored, ...given };
  const resetToNull = (...names: ("family_id" | "product_name" | "product_url" | "category")[]) => {
    for (const name of names) if (columns[name] === undefined) merged[name] = null;
  };
  if (merged.product_id !== stored.product_id) resetToNull("family_id", "product_name", "product_url", "category");
  if (merged.order_id !== stored.order_id) resetToNull("category");
  if (columns.order_id !== undefined || columns.customer_id !== undefined) {
    merged.verified_buyer = merged.order_id !== null && merged.customer_id !== null;
  }
  if (merged.customer_id !== null && merged.customer_id !== stored.customer_id && columns.author_email === undefined) {
    Object.assign(merged, { author_email: null, email_key: null });
  }
  const buyer = input.order?.customer?.email;
  if (merged.author_email === null && buyer) Object.assign(merged, { author_email: buyer, email_key: emailKey(buyer) });
  return merged;
}

/** The texts to detect a review's language from. */
export const textsOf = ({ title, extract, pros, cons }: ReviewColumns) => [title, extract, ...pros, ...cons];

/**
 * The order an input contains, with the one item the review is about. Without an order, only the customer; null if
 * there is none.
 */
export function orderOf(
  client: Pick<ClientRow, "id" | "config">,
  { order }: ReviewInput,
  columns: ReviewColumns,
): OrderWrite | null {
  if (!order || columns.customer_id === null) return null;
  if (columns.order_id === null && !order.customer) return null;
  return {
    clientId: client.id,
    customer: { ...order.customer, id: columns.customer_id },
    order:
      columns.order_id === null
        ? null
        : {
            id: columns.order_id,
            store_name: order.store_name,
            items:
              columns.product_id === null
                ? []
                : [withLocalDeliveryDay(client, { ...order.item, id: columns.product_id })],
          },
  };
}
