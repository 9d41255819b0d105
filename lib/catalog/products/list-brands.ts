import { pool } from "@/lib/platform/db/pool";
import { selectBrands } from "./portal-sql";

/** Brands to suggest; a catalog with more is searched by typing. */
const MAX_BRANDS = 500;

/** The first 500 brands of a catalog by name: suggestions for a filter. */
export const listBrands = (clientId: string): Promise<string[]> => selectBrands(pool(), clientId, MAX_BRANDS);
