import { log } from "@/lib/platform/log";

/** Milliseconds for which work is whose who took it, unless renewed: what a process that died had taken waits no longer. */
export const LEASE_MS = 60_000;

type Lease = {
  /** when it was about to be taken, by `performance.now()` */
  acquiredAt: number;
  ms: number;
  /** Renews what still is ours and has not run out, for `ms` from now on. */
  renew: () => Promise<unknown>;
};

/**
 * Does work under a lease that was taken, and renews it until the work is over. Once it has run out (the database was away)
 * it is not renewed any more, as somebody else may have it: `isHeld` tells, to be asked before anything new is begun.
 */
export async function withLease<T>({ acquiredAt, ms, renew }: Lease, work: (isHeld: () => boolean) => Promise<T>) {
  let expiresAt = acquiredAt + ms;
  let isRenewing = false;
  const isHeld = () => performance.now() < expiresAt;
  const renewLease = async () => {
    if (isRenewing || !isHeld()) return;
    isRenewing = true;
    const began = performance.now();
    try {
      await renew();
      if (isHeld()) expiresAt = began + ms; // an answer that comes later says nothing: it may have found the lease run out
    } catch (error) {
      log.warn({ err: error }, "could not renew a lease");
    } finally {
      isRenewing = false;
    }
  };
  const timer = setInterval(renewLease, ms / 3);
  try {
    return await work(isHeld);
  } finally {
    clearInterval(timer);
  }
}
