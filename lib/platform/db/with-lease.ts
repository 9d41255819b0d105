import { log } from "@/lib/platform/log";

/** Milliseconds until a lease expires unless renewed: the longest that work of a dead process stays blocked. */
export const LEASE_MS = 60_000;

type Lease = {
  /** time just before it was acquired, by `performance.now()` */
  acquiredAt: number;
  ms: number;
  /** Extends the lease by `ms` from now, if it's still held. */
  renew: () => Promise<unknown>;
};

/**
 * Runs work under an acquired lease and renews it until the work is done. An expired lease (the database was
 * unavailable) isn't renewed, since another process may hold it: check `isHeld` before each new step.
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
      if (isHeld()) expiresAt = began + ms; // a later response proves nothing: the lease may have expired before
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
