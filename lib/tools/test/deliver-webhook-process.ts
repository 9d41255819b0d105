import { deliverDue } from "@/lib/integrations/webhooks/deliver-due";

// A process of its own that tells a webhook what is due, as the job does: to be killed. With `connecting` as its third word it
// ends as by kill -9 when all is written down and nobody is connected to yet.
const [clientId = "", webhookId = "", killAt] = process.argv.slice(2);
const allows = () => {
  if (killAt === "connecting") process.kill(process.pid, "SIGKILL");
  return true;
};
await deliverDue(clientId, webhookId, { allows });
process.exit(0);
