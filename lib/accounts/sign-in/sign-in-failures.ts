import { networkOf } from "@/lib/platform/http/address";
import { deductToken, type LimitName, requireToken } from "@/lib/platform/http/rate-limit";

export type FailureCounter = {
  /** Throws `rate_limited` if there were too many. */
  throwIfTooMany: () => void;
  count: () => void;
};

const failuresIn = (buckets: [LimitName, string][]): FailureCounter => ({
  throwIfTooMany: () => {
    for (const [limit, key] of buckets) requireToken(limit, key);
  },
  count: () => {
    for (const [limit, key] of buckets) deductToken(limit, key);
  },
});

/** Wrong credentials of any kind from one address. */
export const failuresFrom = (address: string): FailureCounter => failuresIn([["failed_address", networkOf(address)]]);

/**
 * Wrong passwords for a user name: few from one address, more from its network, many from everywhere, so that guessing
 * can't lock the person out where they are.
 */
export const failuresFor = (name: string, address: string): FailureCounter =>
  failuresIn([
    ["failed_user", `${networkOf(address)} ${name}`],
    ["failed_network", `${networkOf(address, 24)} ${name}`],
    ["failed_name", name],
  ]);

/** Wrong passwords from a known browser or a signed-in person; failures elsewhere don't count. */
export const failuresOfDevice = (id: string): FailureCounter => failuresIn([["failed_user", id]]);

export const combineFailures = (one: FailureCounter, other: FailureCounter): FailureCounter => ({
  throwIfTooMany: () => {
    one.throwIfTooMany();
    other.throwIfTooMany();
  },
  count: () => {
    one.count();
    other.count();
  },
});
