import { cookies } from "next/headers";
import { address, param, requireMember, type Search } from "@/app/_guard";
import { Handed } from "@/components/portal/handed";
import { keys } from "@/components/reviews/queries";
import { Queue } from "@/components/reviews/queue";
import { kindOfPage, SINGLE_COOKIE } from "@/components/reviews/words";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { hasRole } from "@/lib/auth/actor";
import { timeZoneOf } from "@/lib/clients/get-client";
import { env } from "@/lib/env";
import { countWaiting } from "@/lib/queue/count-waiting";
import { listQueue } from "@/lib/queue/list-queue";
import { readFilter } from "@/lib/queue/rules";
import type { QueueFilter } from "@/lib/queue/schema";
import { words } from "@/lib/words/of-request";
import type { Words } from "@/lib/words/rules";

/** Said to those who may decide here although it is another's work. */
const othersWork = {
  client: "This shop moderates itself: what waits here is not in your queue.",
  operator: "The operator of this server moderates for this shop. You may decide too.",
} as const;

/** What an admin may do so that there will be some of a kind. */
function firstSteps({ kind }: QueueFilter, clientId: string | undefined, t: Words) {
  const link = (path: string, text: string, look?: "primary") => (
    <Link href={address(path, { client_id: clientId })} className={buttonClass({ look })}>
      {text}
    </Link>
  );
  if (kind === "answer" || kind === "photo") return undefined;
  if (kind === "seller_review" || kind === "question") return link("/portal/settings/forms", t("Open the settings"));
  return (
    <>
      {link("/portal", t("Send yourself a test order"), "primary")}
      {link("/portal/settings/display", t("Put the form into your shop"))}
    </>
  );
}

/** The queue at one of its addresses: of one kind, or of all. */
export async function QueueOf({ here, search }: { here: string; search: Search }) {
  const t = await words();
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
    <Handed data={read} at={Date.now()}>
      <Queue
        key={client.id}
        clientId={client.id}
        shop={client.display_name}
        several={clientId !== undefined}
        timeZone={timeZoneOf(client)}
        single={single}
        canDecide={hasRole(actor.role, "moderator")}
        note={waiting.yours ? undefined : t(othersWork[waiting.queue])}
        steps={
          hasRole(actor.role, "admin") && firstPage.data.length === 0 ? firstSteps(filter, clientId, t) : undefined
        }
      />
    </Handed>
  );
}
