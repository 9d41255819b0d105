import { type BiasFinding, isConcern } from "@/lib/honesty/bias/find-bias";
import { selectBiasFindings } from "@/lib/honesty/figures-sql";
import { pool } from "@/lib/platform/db/pool";

/** What depends on stars at a store, as computed last. */
export async function listBiasFindings(clientId: string): Promise<BiasFinding[]> {
  const [store] = await selectBiasFindings(pool(), [clientId]);
  return store?.findings ?? [];
}

/** Stores with findings that people should look at, up to a hundred, and how many: for operators. */
export async function listStoresWithBias(): Promise<{ id: string; name: string; count: number }[]> {
  const stores = await selectBiasFindings(pool(), null);
  return stores
    .map(({ id, name, findings }) => ({ id, name, count: findings.filter(isConcern).length }))
    .filter(({ count }) => count > 0);
}
