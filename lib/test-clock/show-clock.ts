import { type ClientRow, isTestStore, storeNow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { dayIn } from "@/lib/platform/clock";
import { AppError } from "@/lib/platform/errors";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import type { TestClock } from "@/lib/test-clock/schema";

/** A test store's clock, which runs on from where it was advanced to. Throws `conflict` for another store. */
export function showClock(client: Pick<ClientRow, "test_days" | "config">): TestClock {
  if (!isTestStore(client)) throw notTestStore();
  const moment = storeNow(client);
  return { days: client.test_days ?? 0, today: dayIn(timeZoneOf(client), moment), now: toIsoSeconds(moment) };
}

export const notTestStore = (): AppError => new AppError("conflict", { reason: "not_test_store" });
