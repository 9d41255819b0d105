import { deliverDueEvents } from "@/lib/integrations/webhooks/deliver-due";

// A process that delivers a webhook's due events as the job does, for tests that kill it. With `connecting` as its
// third argument it ends like kill -9 once everything is recorded, before it connects.
const [clientId = "", webhookId = "", killAt] = process.argv.slice(2);
const allows = () => {
  if (killAt === "connecting") process.kill(process.pid, "SIGKILL");
  return true;
};
await deliverDueEvents(clientId, webhookId, { allows });
process.exit(0);
