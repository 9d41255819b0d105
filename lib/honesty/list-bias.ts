import { type BiasFinding, isConcern, MIN_REVIEWS } from "@/lib/honesty/bias/find-bias";
import { selectBiasFindings, selectFigures } from "@/lib/honesty/figures-sql";
import { pool } from "@/lib/platform/db/pool";

/** What depends on stars at a store, as computed last. */
export async function listBiasFindings(clientId: string): Promise<BiasFinding[]> {
  const [store] = await selectBiasFindings(pool(), [clientId]);
  return store?.findings ?? [];
}

/**
 * Whether a store has received too few reviews to compare, as computed last. If not, those of the last 180 days can still be
 * too few.
 */
export async function hasTooFewReviews(clientId: string): Promise<boolean> {
  const stored = await selectFigures(pool(), clientId);
  if (!stored) return true;
  const [one, two, , four, five] = stored.figures.reviews.received.stars;
  return one + two < MIN_REVIEWS || four + five < MIN_REVIEWS;
}

/** Stores with findings that people should look at, up to a hundred, and how many: for operators. */
export async function listStoresWithBias(): Promise<{ id: string; name: string; count: number }[]> {
  const stores = await selectBiasFindings(pool(), null);
  return stores
    .map(({ id, name, findings }) => ({ id, name, count: findings.filter(isConcern).length }))
    .filter(({ count }) => count > 0);
}
