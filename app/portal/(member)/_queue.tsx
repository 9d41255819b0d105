import { cookies } from "next/headers";
import { address, param, requireMember, type Search } from "@/app/_guard";
import type { Steps } from "@/components/moderation/nothing-here";
import { keys } from "@/components/moderation/queries";
import { Queue } from "@/components/moderation/queue";
import { kindOfPage, SINGLE_COOKIE } from "@/components/moderation/words";
import { HydrateQueries } from "@/components/portal/hydrate-queries";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { hasRole } from "@/lib/accounts/actor";
import { translations } from "@/lib/accounts/sign-in/language-of-request";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { countWaiting } from "@/lib/moderation/queue/count-waiting";
import { listQueue } from "@/lib/moderation/queue/list-queue";
import { readFilter } from "@/lib/moderation/queue/rules";
import { env } from "@/lib/platform/env";
import type { Translate } from "@/lib/platform/i18n/translator";

/** Said to those who may decide here although it is another's work. */
const othersWork = {
  client: "queue.storeModeratesHint",
  operator: "queue.operatorModeratesHint",
} as const;

/** By kind, what an admin may do so that there will be some: the first list is left for others without asking the server. */
function firstSteps(clientId: string | undefined, t: Translate): Steps {
  const link = (path: string, text: string, look?: "primary") => (
    <Link href={address(path, { client_id: clientId })} className={buttonClass({ look })}>
      {text}
    </Link>
  );
  const settings = link("/portal/settings/forms", t("home.openSettings"));
  return {
    review: (
      <>
        {/* Home leads there for as long as there is no review. */}
        {link("/portal", t("queue.getFirstReview"), "primary")}
        {link("/portal/settings/display", t("queue.addFormToStore"))}
      </>
    ),
    seller_review: settings,
    question: settings,
  };
}

/** The queue at one of its addresses: of one kind, or of all. */
export async function QueueOf({ here, search }: { here: string; search: Search }) {
  const t = await translations();
  const { actor, client, clientId } = await requireMember({ here, search });
  const filter = readFilter((name) => (name === "kind" ? kindOfPage(here) : undefined) ?? param(search, name));
  const url = new URL("/portal/api/v1/queue", env().PUBLIC_URL);
  const [firstPage, waiting] = await Promise.all([listQueue(actor, client, filter, url), countWaiting(actor, client)]);
  const single = (await cookies()).get(SINGLE_COOKIE)?.value === "1";
  const read = [
    [keys.queue(client.id, filter), { pages: [firstPage], pageParams: [null] }],
    [keys.waiting(client.id), waiting],
  ] as const;
  return (
    <HydrateQueries data={read}>
      <Queue
        key={client.id}
        clientId={client.id}
        shop={client.display_name}
        several={clientId !== undefined}
        timeZone={timeZoneOf(client)}
        single={single}
        canDecide={hasRole(actor.role, "moderator")}
        note={waiting.yours ? undefined : t(othersWork[waiting.queue])}
        steps={hasRole(actor.role, "admin") ? firstSteps(clientId, t) : undefined}
      />
    </HydrateQueries>
  );
}
