import { cache } from "react";
import { decodeSegment, orNotFound, pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { ItemDetailView } from "@/components/moderation/item-detail-view";
import { itemTitle, kindTitles, pageByKind } from "@/components/moderation/labels";
import { queryKeys } from "@/components/moderation/queries";
import { Breadcrumbs } from "@/components/portal/breadcrumbs";
import { HydrateQueries } from "@/components/portal/hydrate-queries";
import { libraryList } from "@/components/portal/sections";
import { CopyButton } from "@/components/ui/copy-text";
import { hasRole } from "@/lib/accounts/actor";
import { namedMetadata, translations } from "@/lib/accounts/language/request-language";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { getItemDetail } from "@/lib/moderation/queue/get-item-detail";
import { listFrequentReasons } from "@/lib/moderation/rejections/list-frequent-reasons";
import { hasTranslationService } from "@/lib/moderation/translation/provider";
import type { Role } from "@/lib/platform/http/contract";
import type { MessageKey } from "@/lib/platform/i18n/translator";
import type { ModeratedKind } from "@/lib/reviews/decisions/schema";

export type ItemPageProps = { params: Promise<{ id: string }>; searchParams: Promise<Search> };

const loadItem = cache((userId: string, role: Role, clientId: string, kind: ModeratedKind, id: string) =>
  orNotFound(getItemDetail({ id: userId, role }, { id: clientId }, kind, id)),
);

/** The metadata of an item's page. */
export const itemMetadata = (kind: ModeratedKind, title: MessageKey, { params, searchParams }: ItemPageProps) =>
  namedMetadata(title, async () => {
    const { actor, client } = await requireMember({ path: pageByKind[kind], search: await searchParams });
    const { item } = await loadItem(actor.id, actor.role, client.id, kind, decodeSegment((await params).id));
    return itemTitle(item, await translations());
  });

/** The page of one review, seller review or question: the API's `portal_url`. */
export async function ItemPage({ kind, params, searchParams }: ItemPageProps & { kind: ModeratedKind }) {
  const t = await translations();
  const [{ id: idSegment }, search] = await Promise.all([params, searchParams]);
  const { actor, client, clientId } = await requireMember({ path: `${pageByKind[kind]}/${idSegment}`, search });
  const id = decodeSegment(idSegment);
  const [shown, frequentReasons] = await Promise.all([
    loadItem(actor.id, actor.role, client.id, kind, id),
    listFrequentReasons(client),
  ]);
  return (
    <div className="mx-auto max-w-3xl px-4 py-6 lg:px-8">
      <Breadcrumbs
        trail={[
          {
            name: t(kindTitles[kind]),
            href: pathWithQuery("/portal/library", {
              client_id: clientId,
              kind: kind === "review" ? undefined : kind,
            }),
            list: libraryList(kind),
          },
        ]}
        current={itemTitle(shown.item, t)}
      />
      <HydrateQueries data={[[queryKeys.item(client.id, kind, id), shown]]}>
        <ItemDetailView
          clientId={client.id}
          shop={client.display_name}
          kind={kind}
          id={id}
          timeZone={timeZoneOf(client)}
          canDecide={hasRole(actor.role, "moderator")}
          frequentReasons={frequentReasons}
          hasTranslationService={hasRole(actor.role, "moderator") && hasTranslationService()}
          mayRetry={hasRole(actor.role, "admin")}
        />
      </HydrateQueries>
      <p className="mt-7 border-t border-line pt-3 text-sm break-all text-muted">
        {t("common.id")} {id} <CopyButton text={id} label={t("common.id")} />
      </p>
    </div>
  );
}
