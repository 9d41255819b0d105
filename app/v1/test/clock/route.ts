import { purgeExpired } from "@/inngest/functions/clean-up";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { advanceClock } from "@/lib/test-clock/advance-clock";
import { advanceTestClockContract, getTestClockContract } from "@/lib/test-clock/contract";
import { type Advance, parseAdvance } from "@/lib/test-clock/rules";
import { showClock } from "@/lib/test-clock/show-clock";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(getTestClockContract, ({ client }) => ({ data: showClock(client) })),
  route(advanceTestClockContract, async ({ actor, client, body }) => ({
    data: await advanceClock(actor, client.id, parseAdvance(body.advance) as Advance, purgeExpired),
  })),
);
