import { inngest, requestedClientIds, scheduleTriggers } from "@/inngest/client";
import { collectErrors } from "@/inngest/collect-errors";
import { computeFigures, listOutdatedFigures } from "@/lib/honesty/compute-figures";

/** Every ten minutes: computes the figures of the public pages whose logs have grown. */
export const computeOutdatedFigures = inngest.createFunction(
  {
    id: "compute-figures",
    triggers: [...scheduleTriggers("compute-figures", "3,13,23,33,43,53 * * * *")],
    concurrency: 1,
  },
  async ({ event, step }) => {
    const outdated = await step.run("list stores", () => listOutdatedFigures(requestedClientIds(event)));
    const errors = collectErrors();
    for (const clientId of outdated)
      await errors.attempt(clientId, () =>
        step.run(clientId, async () => ({ entries: (await computeFigures(clientId)).size })),
      );
    errors.throwIfAny(); // the next run finds the same stores
    return { stores: outdated.length };
  },
);
