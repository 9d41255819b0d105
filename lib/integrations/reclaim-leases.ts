import { reclaimDeliveries } from "@/lib/integrations/engagement/deliver-due";
import { reclaimEvents } from "@/lib/integrations/webhooks/deliver-due";
import { reclaimMails } from "@/lib/platform/mail/deliver-waiting";

/**
 * Frees what dead processes were delivering. Called before an engine starts: the runs that it takes over from them would
 * otherwise wait for the leases to run out.
 */
export async function reclaimLeases(): Promise<void> {
  await Promise.all([reclaimMails(), reclaimDeliveries(), reclaimEvents()]);
}
