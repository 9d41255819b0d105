import { queryOptions } from "@tanstack/react-query";
import type { findStoresContract } from "@/lib/accounts/contract";
import { call } from "@/lib/platform/http/client";

export type Store = { id: string; display_name: string };

/** Stores of the person whose id or name contains `q`, also those that the page didn't load. */
export const storesOptions = (q: string) =>
  queryOptions({
    queryKey: ["stores", q],
    queryFn: async ({ signal }) =>
      (await call<typeof findStoresContract>("GET /portal/api/v1/stores", { query: { q }, signal })).data,
  });
