import { getClient } from "@/lib/accounts/stores/get-client";
import { readVerificationToken } from "@/lib/forms/verification/links";
import { now } from "@/lib/platform/clock";
import { transaction } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { moderationDueEvents } from "@/lib/reviews/decisions/moderation-due";
import { confirmItems, markUsed, selectLink } from "./sql";

/**
 * Confirms items (`review.<id>`, `question.<id>`) that await verification under a link's address: sets `verified_email`
 * and starts moderation. Returns how many. Returns 0 and writes nothing if the link is invalid, used or expired, or
 * none of the items awaits verification. The link stays valid until its `last` page is submitted; `begun` means an
 * earlier page confirmed something, so the last page may confirm nothing.
 */
export async function confirmAddress(
  token: string,
  itemNames: string[],
  { last = true, started = false }: { last?: boolean; started?: boolean } = {},
): Promise<number> {
  const about = readVerificationToken(token);
  const client = about && (await getClient(about.clientId));
  if (!client) return 0;
  const ids = (kind: string) =>
    itemNames.filter((name) => name.startsWith(`${kind}.`)).map((name) => name.slice(kind.length + 1));
  return transaction(async (db) => {
    const link = await selectLink(db, client.id, about.hash, { hold: true });
    if (!link || link.used_at || link.expires_at <= now()) return 0;
    const reviews = await confirmItems(db, client.id, "review", ids("review"), link.email_key);
    const questions = await confirmItems(db, client.id, "question", ids("question"), link.email_key);
    const count = reviews.length + questions.length;
    if (last && (count > 0 || started)) await markUsed(db, client.id, about.hash, now());
    if (count === 0) return 0;
    const pending = (items: typeof reviews) => items.filter(({ accepted }) => accepted === null).map(({ id }) => id);
    await enqueue(db, [
      ...reviews.map(({ id }) => ({
        name: "review/verified" as const,
        data: { client_id: client.id, review_id: id },
      })),
      ...questions.map(({ id }) => ({
        name: "question/verified" as const,
        data: { client_id: client.id, question_id: id },
      })),
      ...moderationDueEvents(client, "review", pending(reviews)),
      ...moderationDueEvents(client, "question", pending(questions)),
    ]);
    return count;
  });
}
