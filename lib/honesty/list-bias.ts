import { type BiasFinding, isConcern, MIN_REVIEWS } from "@/lib/honesty/bias/find-bias";
import { selectBiasFindings, selectFigures } from "@/lib/honesty/figures-sql";
import { pool } from "@/lib/platform/db/pool";

/**
 * What depends on stars at a store, as computed last, and how far it can be compared. `isTooFew`: it has received too few
 * reviews to compare; if not, those of the last 180 days can still be too few. `notCompared`: excluded orders that don't count.
 */
export async function readBias(
  clientId: string,
): Promise<{ findings: BiasFinding[]; isTooFew: boolean; notCompared: number }> {
  const stored = await selectFigures(pool(), clientId);
  if (!stored) return { findings: [], isTooFew: true, notCompared: 0 };
  const [one, two, , four, five] = stored.figures.reviews.received.stars;
  const isTooFew = one + two < MIN_REVIEWS || four + five < MIN_REVIEWS;
  return { findings: stored.findings, isTooFew, notCompared: stored.not_compared };
}

/** Stores with findings that people should look at, up to a hundred, and how many: for operators. */
export async function listStoresWithBias(): Promise<{ id: string; name: string; count: number }[]> {
  const stores = await selectBiasFindings(pool());
  return stores
    .map(({ id, name, findings }) => ({ id, name, count: findings.filter(isConcern).length }))
    .filter(({ count }) => count > 0);
}
