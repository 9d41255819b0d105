import { inngest, requestedClientIds, scheduleTriggers } from "@/inngest/client";
import { listClientIds } from "@/lib/accounts/stores/list-client-ids";

/** Every hour: looks after the invitations of every client, each in a run of its own. */
export const sendInvitations = inngest.createFunction(
  { id: "send-invitations", triggers: [...scheduleTriggers("send-invitations", "0 * * * *")] },
  async ({ event, step }) => {
    const clientIds = requestedClientIds(event) ?? (await step.run("list clients", () => listClientIds()));
    if (clientIds.length === 0) return { clients: 0 };
    await step.sendEvent(
      "schedule each",
      clientIds.map((client_id) => ({ name: "invitations/due", data: { client_id } })),
    );
    return { clients: clientIds.length };
  },
);
