import { dehydrate, HydrationBoundary, QueryClient, type QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";

type Props = {
  /** what the server read, by the keys of the page's queries */
  data: readonly (readonly [key: QueryKey, data: unknown])[];
  children: ReactNode;
};

/** Passes what the server read to the queries within, so that none is sent again at once. */
export function HydrateQueries({ data, children }: Props) {
  const client = new QueryClient();
  for (const [key, value] of data) client.setQueryData(key, value);
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}
