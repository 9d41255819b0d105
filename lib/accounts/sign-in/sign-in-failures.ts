import { networkOf } from "@/lib/platform/http/address";
import { type LimitName, refuseSpent, spendToken } from "@/lib/platform/http/rate-limit";

export type Failures = {
  /** Throws `rate_limited` where there were too many. */
  refuseMany: () => void;
  count: () => void;
};

const countedIn = (buckets: [LimitName, string][]): Failures => ({
  refuseMany: () => {
    for (const [limit, key] of buckets) refuseSpent(limit, key);
  },
  count: () => {
    for (const [limit, key] of buckets) spendToken(limit, key);
  },
});

/** Wrong credentials of any kind from one address. */
export const failuresFrom = (address: string): Failures => countedIn([["failed_address", networkOf(address)]]);

/**
 * Wrong passwords for a user name: few from one address, more from its network, many from everywhere. So whoever guesses
 * cannot lock the person out from where they are.
 */
export const failuresFor = (name: string, address: string): Failures =>
  countedIn([
    ["failed_user", `${networkOf(address)} ${name}`],
    ["failed_network", `${networkOf(address, 24)} ${name}`],
    ["failed_name", name],
  ]);

/** Wrong passwords from a browser that is known, or of somebody signed in: what others do elsewhere does not count there. */
export const failuresOfDevice = (id: string): Failures => countedIn([["failed_user", id]]);

export const both = (one: Failures, other: Failures): Failures => ({
  refuseMany: () => {
    one.refuseMany();
    other.refuseMany();
  },
  count: () => {
    one.count();
    other.count();
  },
});
