"use client";

import { type MutationOptions, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";

/**
 * Sends things as a mutation of the cache does: in the order of their scope, with what is to happen after. Answers its promise
 * and nothing else: what `useMutation` has for watching how it fares is a kilobyte that the queue has no use for.
 */
export function useSend<Data, Given>(options: MutationOptions<Data, Error, Given>): (given: Given) => Promise<Data> {
  const cache = useQueryClient();
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  return useCallback(
    (given) => {
      const sent = cache.getMutationCache().build(cache, latest.current).execute(given);
      // Whoever does not wait for it hears of a failure by onError.
      sent.catch(() => undefined);
      return sent;
    },
    [cache],
  );
}
