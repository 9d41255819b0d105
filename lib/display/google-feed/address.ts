import { env } from "@/lib/platform/env";

/** Where a client's accepted reviews are fetched as Google's product-review feed. */
export const reviewFeedAddress = (clientId: string): string =>
  `${env().PUBLIC_URL}/onpage/${encodeURIComponent(clientId)}/google/product_reviews.xml`;
