import { cookies } from "next/headers";
import { param, requireMember, type Search } from "@/app/_guard";
import { Handed } from "@/components/portal/handed";
import { keys } from "@/components/reviews/queries";
import { Queue } from "@/components/reviews/queue";
import { kindOfPage, SINGLE_COOKIE } from "@/components/reviews/words";
import { hasRole } from "@/lib/auth/actor";
import { timeZoneOf } from "@/lib/clients/get-client";
import { env } from "@/lib/env";
import { countWaiting } from "@/lib/queue/count-waiting";
import { listQueue } from "@/lib/queue/list-queue";
import { readFilter } from "@/lib/queue/rules";
import { words } from "@/lib/words/of-request";

/** Said to those who may decide here although it is another's work. */
const othersWork = {
  client: "This shop moderates itself: what waits here is not in your queue.",
  operator: "The operator of this server moderates for this shop. You may decide too.",
} as const;

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
      />
    </Handed>
  );
}
