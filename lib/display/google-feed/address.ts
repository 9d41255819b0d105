import { env } from "@/lib/platform/env";

/** The URL of a client's accepted reviews as a Google product-review feed. */
export const reviewFeedAddress = (clientId: string): string =>
  `${env().PUBLIC_URL}/onpage/${encodeURIComponent(clientId)}/google/product_reviews.xml`;
