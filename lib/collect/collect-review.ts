import type { ClientRow } from "@/lib/clients/get-client";
import { ReviewBody, type ReviewEcho } from "@/lib/collect/schema";
import type { Fault } from "@/lib/errors";
import { unkeptFaults } from "@/lib/http/json";
import type { ReviewSubmission } from "@/lib/reviews/rules";
import { submissionFaults, submitReview } from "@/lib/reviews/submit-review";

/** Stores a review posted by a shop's server or widget. Answers the posted fields without the key. */
export async function collectReview(client: ClientRow, body: ReviewBody): Promise<ReviewEcho> {
  await submitReview(client, toSubmission(body));
  const { api_key: _, ...echo } = body;
  return echo;
}

/**
 * What more is wrong with a body that is wrong already: of the fields that can be read and looked up. Names that every
 * object has (`toString`) are no fields of ours.
 */
export function reviewFaults(client: ClientRow, given: unknown): Promise<Fault[]> {
  const fields = Object.entries(given as object).filter(([name]) => Object.hasOwn(ReviewBody.shape, name)) as [
    keyof ReviewBody,
    unknown,
  ][];
  const readable = ([name, value]: [keyof ReviewBody, unknown]) =>
    ReviewBody.shape[name].safeParse(value).success && unkeptFaults(value).length === 0;
  const unreadable = new Set(fields.filter((field) => !readable(field)).map(([name]) => name));
  const body = Object.fromEntries(fields.filter(([name]) => !unreadable.has(name))) as ReviewBody;
  const { productId, content, ...submission } = toSubmission(body);
  // A product id that cannot be read is a fault of its own, and not one that is missing.
  const named = unreadable.has("product_id") || unreadable.has("product_site_id");
  return submissionFaults(client, {
    ...submission,
    productId: named ? "?" : productId,
    content: unreadable.has("content") ? undefined : content,
  });
}

const filled = (value: string | null | undefined): string | null =>
  value == null || value.trim() === "" ? null : value;

const toSubmission = (body: ReviewBody): ReviewSubmission => ({
  source: "collect",
  productId: filled(body.product_id),
  familyId: filled(body.product_site_id),
  productName: filled(body.product_name),
  productUrl: filled(body.product_url),
  category: null,
  author: body.author,
  authorEmail: filled(body.author_email),
  authorIp: filled(body.author_ip),
  score: body.score,
  title: filled(body.title),
  content: body.content ?? "",
  pros: body.pros ?? [],
  cons: body.cons ?? [],
  recommended: body.recommended ?? null,
  answers: body.custom_questions ?? {},
  images: (body.images ?? []).map(({ token }) => token),
  lang: filled(body.lang),
  order: null,
  termsAgreed: body.terms ?? false,
});
