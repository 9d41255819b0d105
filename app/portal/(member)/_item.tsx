import { address, found, requireMember, type Search, segment } from "@/app/_guard";
import { ItemCase } from "@/components/moderation/item-case";
import { keys } from "@/components/moderation/queries";
import { pageOf } from "@/components/moderation/words";
import { HydrateQueries } from "@/components/portal/hydrate-queries";
import { Link } from "@/components/ui/link";
import { hasRole } from "@/lib/accounts/actor";
import { translations } from "@/lib/accounts/sign-in/language-of-request";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { getCase } from "@/lib/moderation/queue/get-case";
import type { MessageKey } from "@/lib/platform/i18n/translator";
import type { ModeratedKind } from "@/lib/reviews/decisions/schema";

const allOf: Record<Props["kind"], MessageKey> = {
  review: "queue.allReviews",
  seller_review: "queue.allSellerReviews",
  question: "queue.allQuestions",
};

type Props = { kind: ModeratedKind; given: string; search: Search };

/** The page of one review, seller review or question: the address that the API gives as `portal_url`. */
export async function PageOf({ kind, given, search }: Props) {
  const t = await translations();
  const { actor, client, clientId } = await requireMember({ here: `${pageOf[kind]}/${given}`, search });
  const id = segment(given);
  const shown = await found(getCase(actor, client, kind, id));
  return (
    <div className="mx-auto max-w-3xl px-4 py-6 lg:px-8">
      <p className="mb-6 text-sm">
        <Link className="link" href={address(pageOf[kind], { client_id: clientId })}>
          {t(allOf[kind])}
        </Link>
      </p>
      <HydrateQueries data={[[keys.case(client.id, kind, id), shown]]}>
        <ItemCase
          clientId={client.id}
          shop={client.display_name}
          kind={kind}
          id={id}
          timeZone={timeZoneOf(client)}
          canDecide={hasRole(actor.role, "moderator")}
          mayRetry={hasRole(actor.role, "admin")}
        />
      </HydrateQueries>
    </div>
  );
}
