import { inngest, requestedClientIds, scheduleTriggers } from "@/inngest/client";
import { listClientIds } from "@/lib/accounts/stores/list-client-ids";

/** Every hour: starts a run for each client's invitations. */
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
