"use client";

import { type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo } from "react";

/** What the server read, by the keys under which the page's queries look for it. */
export type HandedData = readonly (readonly [key: QueryKey, data: unknown])[];

type Props = {
  data: HandedData;
  /** when it was read, in milliseconds */
  at: number;
  children: ReactNode;
};

/** Hands the queries within what the server read for them, so that none asks at once for what stands in the page already. */
export function Handed({ data, at, children }: Props) {
  const cache = useQueryClient();
  // What is not held yet is there for the first drawing of what is within. What is held may be on screen just now.
  useMemo(() => handOver(cache, data, at, "new"), [cache, data, at]);
  useEffect(() => handOver(cache, data, at, "newer"), [cache, data, at]);
  return children;
}

/** Puts into the cache what it has not asked for yet, or what it holds in an older state. */
export function handOver(cache: QueryClient, data: HandedData, at: number, what: "new" | "newer"): void {
  for (const [key, value] of data) {
    const held = cache.getQueryState(key);
    if (held ? what === "newer" && held.dataUpdatedAt < at : what === "new")
      cache.setQueryData(key, value, { updatedAt: at });
  }
}
