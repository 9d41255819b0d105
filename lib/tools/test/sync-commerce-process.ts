import { setTimeout as sleep } from "node:timers/promises";
import { syncCommerce } from "@/lib/integrations/commerce/sync-commerce";

// A process that imports a client's orders from its store until a run succeeds, for tests that kill it.
const [clientId = ""] = process.argv.slice(2);
// Exits with the test, even if that is killed.
process.stdin.on("end", () => process.exit(1)).resume();
for (;;) {
  const { nextInSeconds, error } = await syncCommerce(clientId, {
    retryDelays: [20, 50, 100],
    timeout: 700,
    budget: 2_000,
  });
  if (nextInSeconds === null && error === null) process.exit(0);
  await sleep(50);
}
