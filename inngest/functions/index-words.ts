import { inngest, requestedClientIds, scheduleTriggers } from "@/inngest/client";
import { collectErrors } from "@/inngest/collect-errors";
import { indexWords, listTextsToIndex, type ToIndex } from "@/lib/reviews/words/index-words";

/** Steps per run and client: the rest is left to the next run. */
const MAX_STEPS = 50;

/** The words of reviews and questions, by which the portal finds them. */
const indexer = (id: string, pattern: string, all: boolean) =>
  inngest.createFunction(
    { id, triggers: [...scheduleTriggers(id, pattern)], concurrency: 1 },
    async ({ event, step }) => {
      const found = await step.run("list texts", () => listTextsToIndex(requestedClientIds(event), { all }));
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

/** Every minute: stores the words of new and changed texts. */
export const indexNewWords = indexer("index-words", "* * * * *", false);
/** Every night: stores those that were missed. */
export const indexMissedWords = indexer("index-missed-words", "50 3 * * *", true);
