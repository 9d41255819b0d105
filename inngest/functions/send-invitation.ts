import { inngest, onEvent } from "@/inngest/client";
import { withRetryAfter } from "@/inngest/with-retry-after";
import { sendInvitations } from "@/lib/invitations/send-invitation";

/** Writes and sends claimed invitations. */
export const sendClaimedInvitation = inngest.createFunction(
  {
    id: "send-invitation",
    triggers: [onEvent("invitations/claimed"), onEvent("invitation/claimed")],
    retries: 8,
    concurrency: 5,
  },
  async ({ event, step }) => {
    const { data } = event;
    const ids = "invitation_ids" in data ? data.invitation_ids : [data.invitation_id];
    await step.run("send", () => withRetryAfter(() => sendInvitations(data.client_id, ids)));
  },
);
