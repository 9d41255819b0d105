import { decodeSegment, orNotFound, pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { ItemDetailView } from "@/components/moderation/item-detail-view";
import { pageByKind } from "@/components/moderation/labels";
import { queryKeys } from "@/components/moderation/queries";
import { HydrateQueries } from "@/components/portal/hydrate-queries";
import { Link } from "@/components/ui/link";
import { hasRole } from "@/lib/accounts/actor";
import { translations } from "@/lib/accounts/language/request-language";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { getItemDetail } from "@/lib/moderation/queue/get-item-detail";
import type { MessageKey } from "@/lib/platform/i18n/translator";
import type { ModeratedKind } from "@/lib/reviews/decisions/schema";

const backLinkLabels: Record<Props["kind"], MessageKey> = {
  review: "queue.allReviews",
  seller_review: "queue.allSellerReviews",
  question: "queue.allQuestions",
};

type Props = { kind: ModeratedKind; idSegment: string; search: Search };

/** The page of one review, seller review or question: the API's `portal_url`. */
export async function ItemPage({ kind, idSegment, search }: Props) {
  const t = await translations();
  const { actor, client, clientId } = await requireMember({ path: `${pageByKind[kind]}/${idSegment}`, search });
  const id = decodeSegment(idSegment);
  const shown = await orNotFound(getItemDetail(actor, client, kind, id));
  return (
    <div className="mx-auto max-w-3xl px-4 py-6 lg:px-8">
      <p className="mb-6 text-sm">
        <Link
          className="link"
          href={pathWithQuery("/portal/library", {
            client_id: clientId,
            kind: kind === "review" ? undefined : kind,
          })}
        >
          {t(backLinkLabels[kind])}
        </Link>
      </p>
      <HydrateQueries data={[[queryKeys.item(client.id, kind, id), shown]]}>
        <ItemDetailView
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
