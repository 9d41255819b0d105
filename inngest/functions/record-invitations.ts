import { inngest, requestedClientIds, scheduleTriggers } from "@/inngest/client";
import { collectErrors } from "@/inngest/collect-errors";
import { listUnrecorded, recordInvitations } from "@/lib/honesty/record-invitations";

/** Every hour, since days end at different times: records for the stores' logs what became of delivered items. */
export const recordInvitationDays = inngest.createFunction(
  { id: "record-invitations", triggers: [...scheduleTriggers("record-invitations", "25 * * * *")], concurrency: 1 },
  async ({ event, step }) => {
    const stores = await step.run("list stores", () => listUnrecorded(requestedClientIds(event)));
    const errors = collectErrors();
    let days = 0;
    for (const clientId of stores)
      days += (await errors.attempt(clientId, () => step.run(clientId, () => recordInvitations(clientId)))) ?? 0;
    errors.throwIfAny(); // the next run finds the same stores
    return { days };
  },
);
