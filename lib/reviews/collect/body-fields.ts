import type { Submission } from "@/lib/reviews/submissions/rules";

/** The product id of a body; an unreadable one is its own error, so it doesn't count as missing. */
export const readableProductId = (productId: string | null, unreadable: ReadonlySet<string>): string | null =>
  unreadable.has("product_id") || unreadable.has("product_site_id") ? "?" : productId;

/** Treats null and blank as absent. */
export const nullIfBlank = (value: string | null | undefined): string | null =>
  value == null || value.trim() === "" ? null : value;

type CommonBody = {
  product_id?: string | null;
  product_site_id?: string | null;
  product_name?: string | null;
  product_url?: string | null;
  author: string;
  author_email?: string | null;
  author_ip?: string | null;
  images?: { token: string }[] | null;
  custom_questions?: Record<string, unknown> | null;
  lang?: string | null;
  terms?: boolean | null;
};

/** The fields that reviews and questions share, as a submission. */
export const commonOf = (body: CommonBody): Submission => ({
  productId: nullIfBlank(body.product_id),
  familyId: nullIfBlank(body.product_site_id),
  productName: nullIfBlank(body.product_name),
  productUrl: nullIfBlank(body.product_url),
  author: body.author,
  authorEmail: nullIfBlank(body.author_email),
  authorIp: nullIfBlank(body.author_ip),
  answers: body.custom_questions ?? {},
  images: (body.images ?? []).map(({ token }) => token),
  lang: nullIfBlank(body.lang),
  termsAgreed: body.terms ?? false,
});
