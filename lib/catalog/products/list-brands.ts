import { pool } from "@/lib/platform/db/pool";
import { selectNames } from "./portal-sql";

/** Names to suggest; in a catalog with more, they are typed. */
const MAX_NAMES = 500;

/** The first 500 brands of a catalog by name: suggestions for a filter. */
export const listBrands = (clientId: string): Promise<string[]> => selectNames(pool(), clientId, "brand", MAX_NAMES);

/** The first 500 categories, likewise. */
export const listCategories = (clientId: string): Promise<string[]> =>
  selectNames(pool(), clientId, "category", MAX_NAMES);
