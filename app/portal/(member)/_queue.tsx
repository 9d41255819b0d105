import { cookies } from "next/headers";
import { param, requireMember, type Search } from "@/app/_guard";
import { emptyStateActions } from "@/app/portal/(member)/_empty-state-actions";
import { kindOfPage, SINGLE_COOKIE } from "@/components/moderation/labels";
import { queryKeys } from "@/components/moderation/queries";
import { Queue } from "@/components/moderation/queue";
import { HydrateQueries } from "@/components/portal/hydrate-queries";
import { hasRole } from "@/lib/accounts/actor";
import { translations } from "@/lib/accounts/language/request-language";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { countPending } from "@/lib/moderation/queue/count-pending";
import { listQueue } from "@/lib/moderation/queue/list-queue";
import { readFilter } from "@/lib/moderation/queue/rules";
import { listFrequentReasons } from "@/lib/moderation/rejections/list-frequent-reasons";
import { hasTranslationService } from "@/lib/moderation/translation/provider";
import { env } from "@/lib/platform/env";

/** Shown to people who may decide here although someone else moderates. */
const moderatedElsewhereHints = {
  client: "queue.storeModeratesHint",
  operator: "queue.operatorModeratesHint",
} as const;

/** The queue at one of its paths: of one kind, or of all. */
export async function ModerationQueue({ path, search }: { path: string; search: Search }) {
  const t = await translations();
  const { actor, client, clientId } = await requireMember({ path, search });
  const filter = readFilter((name) => (name === "kind" ? kindOfPage(path) : undefined) ?? param(search, name));
  const url = new URL("/portal/api/v1/queue", env().PUBLIC_URL);
  const [firstPage, pendingCounts, frequentReasons] = await Promise.all([
    listQueue(actor, client, filter, url),
    countPending(actor, client),
    listFrequentReasons(client),
  ]);
  const single = (await cookies()).get(SINGLE_COOKIE)?.value === "1";
  const initialData = [
    [queryKeys.queue(client.id, filter), { pages: [firstPage], pageParams: [null] }],
    [queryKeys.waiting(client.id), pendingCounts],
  ] as const;
  return (
    <HydrateQueries data={initialData}>
      <Queue
        clientId={client.id}
        shop={client.display_name}
        hasSeveralStores={clientId !== undefined}
        timeZone={timeZoneOf(client)}
        single={single}
        canDecide={hasRole(actor.role, "moderator")}
        note={pendingCounts.yours ? undefined : t(moderatedElsewhereHints[pendingCounts.queue])}
        frequentReasons={frequentReasons}
        hasTranslationService={hasRole(actor.role, "moderator") && hasTranslationService()}
        steps={emptyStateActions(actor, clientId, t)}
      />
    </HydrateQueries>
  );
}
