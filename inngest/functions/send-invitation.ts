import { inngest, on } from "@/inngest/client";
import { sendInvitation } from "@/lib/invitations/send-invitation";

/** Writes and sends one claimed invitation. */
export const sendClaimedInvitation = inngest.createFunction(
  { id: "send-invitation", triggers: [on("invitation/claimed")], retries: 8, concurrency: 5 },
  async ({ event, step }) => {
    await step.run("send", () => sendInvitation(event.data.client_id, event.data.invitation_id));
  },
);
