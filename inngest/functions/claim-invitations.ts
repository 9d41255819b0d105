import { inngest, on } from "@/inngest/client";
import { claimInvitations, unsentInvitations } from "@/lib/invitations/claim-invitations";

/**
 * Claims the invitations of a client that are due now, and takes up those that a crash left claimed and unsent. Sending
 * is safe to repeat, so an invitation may come twice.
 */
export const claimDueInvitations = inngest.createFunction(
  {
    id: "claim-invitations",
    triggers: [on("invitations/due")],
    concurrency: { limit: 1, key: "event.data.client_id" },
  },
  async ({ event, step }) => {
    const { client_id } = event.data;
    const claimed = await step.run("claim", () => claimInvitations(client_id));
    const ids = await step.run("list unsent", () => unsentInvitations(client_id));
    if (ids.length === 0) return { claimed: 0, to_send: 0 };
    await step.sendEvent(
      "send each",
      ids.map((invitation_id) => ({ name: "invitation/claimed", data: { client_id, invitation_id } })),
    );
    return { claimed: claimed.length, to_send: ids.length };
  },
);
