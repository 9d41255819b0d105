import { inngest, requestedClientIds, scheduleTriggers } from "@/inngest/client";
import { collectErrors } from "@/inngest/collect-errors";
import { indexWords, listTextsToIndex, type ToIndex } from "@/lib/reviews/words/index-words";

/** Steps per run and client: the rest is left to the next minute. */
const MAX_STEPS = 50;

/** Every minute: stores the words of new and changed reviews and questions, by which the portal finds them. */
export const indexNewWords = inngest.createFunction(
  { id: "index-words", triggers: [...scheduleTriggers("index-words", "* * * * *")], concurrency: 1 },
  async ({ event, step }) => {
    const found = await step.run("list texts", () => listTextsToIndex(requestedClientIds(event)));
    let indexed = 0;
    const errors = collectErrors();
    for (const one of found) {
      let next: ToIndex | null = one;
      for (let part = 1; next && part <= MAX_STEPS; part += 1) {
        const from: ToIndex = next;
        const name = `${one.kind} ${one.client_id} ${part}`;
        const done = await errors.attempt(name, () => step.run(name, () => indexWords(from)));
        indexed += done?.indexed ?? 0;
        next = done?.next ?? null;
      }
    }
    errors.throwIfAny(); // the next run finds the same texts
    return { indexed };
  },
);
