import { dehydrate, HydrationBoundary, QueryClient, type QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";

type Props = {
  /** data loaded on the server, by query key */
  data: readonly (readonly [key: QueryKey, data: unknown])[];
  children: ReactNode;
};

/** Passes data loaded on the server to the queries below, so that they aren't fetched again immediately. */
export function HydrateQueries({ data, children }: Props) {
  const client = new QueryClient();
  for (const [key, value] of data) client.setQueryData(key, value);
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}
