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

// What a review of the management API or of an import says of a row, and what is wrong with it as far as no stored row
// needs to be asked. Pure. Issues are at `review.…`, as the API's callers read them.

export const atReview = (issues: readonly Issue[]): Issue[] =>
  issues.map((issue) => ({ ...issue, field: `review.${issue.field}` }));

/** A form's demands are no demands on reviews that were written elsewhere: an answer that is required may be missing. */
const answersOf = (questions: unknown[], { custom_questions }: ReviewInput) =>
  validateAnswers(questions as CustomQuestion[], custom_questions ?? {}, null, { demanding: false });

/** What is wrong with an input whatever is stored; `today` is the client's calendar day. */
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
  return atReview(issues);
}

/** What an input lacks to become a new review (decisions 5); an update may leave all of it out. */
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
  return atReview(issues);
}

/** What an input says, as columns; those it says nothing of are undefined. A date of null says nothing. */
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
};

type Settings = { custom_questions: unknown[] };

/** The columns of a new review, of an input without issues; {@link Completed} ones are as the input alone knows them. */
export const newColumns = (settings: Settings, input: ReviewInput, today: string): ReviewColumns =>
  mergedColumns(settings, { ...blank, score: input.score as number, date: today }, input);

/**
 * A stored review's columns with what an input says of them. Of another product, order or customer nothing is known but
 * what the input says: names, family, category and address are to be completed anew. Who names an order and a customer is
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

/** What tells a review's language. */
export const textsOf = ({ title, extract, pros, cons }: ReviewColumns) => [title, extract, ...pros, ...cons];

/**
 * The order that an input brings, to be stored as any other: of the one item that the review is about. Of a review without
 * an order the customer alone; null where there is nobody to store it of.
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
