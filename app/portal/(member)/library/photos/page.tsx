import { Images } from "lucide-react";
import { orNotFound, param, pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { LibraryTabs } from "@/components/moderation/library/library-tabs";
import { PageLinks } from "@/components/moderation/library/page-links";
import { PhotoGrid } from "@/components/moderation/library/photo-grid";
import { Breadcrumbs } from "@/components/portal/breadcrumbs";
import { PageHead } from "@/components/portal/page-head";
import { libraryList } from "@/components/portal/sections";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterLinks } from "@/components/ui/filter-links";
import { hasRole } from "@/lib/accounts/actor";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { listPhotos } from "@/lib/moderation/library/list-photos";
import { photoStates } from "@/lib/moderation/library/values";

export const generateMetadata = () => titleMetadata("queue.photos");

const path = "/portal/library/photos";

export default async function PhotosPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const search = await searchParams;
  const { actor, client, clientId } = await requireMember({ path, search });
  const state = photoStates.find((one) => one === param(search, "state"));
  const after = param(search, "after");
  const { photos, next } = await orNotFound(listPhotos(actor, client, { state, after }));
  const href = (query: Record<string, string | undefined>) => pathWithQuery(path, { client_id: clientId, ...query });
  return (
    <div className="mx-auto max-w-7xl px-4 py-6 lg:px-8">
      <Breadcrumbs
        trail={[
          {
            name: t("common.reviews"),
            href: pathWithQuery("/portal/library", { client_id: clientId }),
            list: libraryList("review"),
          },
        ]}
        current={t("queue.photos")}
      />
      <PageHead title={t("queue.photos")}>{t("library.photosIntro")}</PageHead>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <LibraryTabs current="photos" clientId={clientId} />
        <FilterLinks
          label={t("queue.status")}
          links={[
            { name: t("common.all"), href: href({}), current: state === undefined },
            { name: t("library.shown"), href: href({ state: "shown" }), current: state === "shown" },
            { name: t("common.hidden"), href: href({ state: "hidden" }), current: state === "hidden" },
          ]}
        />
      </div>
      {photos.length > 0 ? (
        <PhotoGrid
          key={`${state} ${after}`}
          clientId={client.id}
          photos={photos}
          canDecide={hasRole(actor.role, "moderator")}
          clientParam={clientId}
        />
      ) : (
        <EmptyState icon={<Images aria-hidden="true" />} title={t(state ? "queue.noResults" : "library.noPhotos")}>
          {state ? t("queue.noResultsFilterHint") : t("library.noPhotosHint")}
        </EmptyState>
      )}
      <PageLinks first={after && href({ state })} next={next && href({ state, after: next })} />
    </div>
  );
}
