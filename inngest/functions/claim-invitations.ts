import { inngest, onEvent } from "@/inngest/client";
import { claimInvitations, unsentInvitations } from "@/lib/invitations/claim-invitations";

/** Invitations per run: enough for one call of the email service, few enough for the time of a step. */
const BATCH_SIZE = 50;

/**
 * Claims a client's due invitations, and those that a crash left claimed and unsent. Sending is idempotent, so an
 * invitation may be passed on twice.
 */
export const claimDueInvitations = inngest.createFunction(
  {
    id: "claim-invitations",
    triggers: [onEvent("invitations/due")],
    concurrency: { limit: 1, key: "event.data.client_id" },
  },
  async ({ event, step }) => {
    const { client_id } = event.data;
    const claimed = await step.run("claim", () => claimInvitations(client_id));
    const ids = await step.run("list unsent", () => unsentInvitations(client_id));
    if (ids.length === 0) return { claimed: 0, to_send: 0 };
    const chunks = Array.from({ length: Math.ceil(ids.length / BATCH_SIZE) }, (_, index) =>
      ids.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
    );
    await step.sendEvent(
      "send each",
      chunks.map((invitation_ids) => ({ name: "invitations/claimed", data: { client_id, invitation_ids } })),
    );
    return { claimed: claimed.length, to_send: ids.length };
  },
);
