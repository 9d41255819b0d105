import { setTimeout as sleep } from "node:timers/promises";
import { syncShare } from "@/lib/integrations/delta-share/sync-share";

// A process of its own that takes a client's orders from its data share until a run ends well: to be killed.
const [clientId = ""] = process.argv.slice(2);
// A test that is itself killed leaves nothing behind.
process.stdin.on("end", () => process.exit(1)).resume();
for (;;) {
  const { nextInSeconds, error } = await syncShare(clientId, {
    waits: [20, 50, 100],
    timeout: 700,
    budget: 2_000,
  });
  if (nextInSeconds === null && error === null) process.exit(0);
  await sleep(50);
}
