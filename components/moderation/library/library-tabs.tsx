import { useTranslations } from "#messages";
import { kindTitles } from "@/components/moderation/labels";
import { FilterLinks } from "@/components/ui/filter-links";
import { type LibraryFilter, libraryQuery } from "@/lib/moderation/library/values";
import { type ModeratedKind, moderatedKinds } from "@/lib/reviews/decisions/schema";

type Props = {
  current: ModeratedKind | "photos";
  /** in addresses, if the person has several stores */
  clientId: string | undefined;
  /** kept when the kind changes, as far as it applies */
  filter?: LibraryFilter;
};

/** The lists: reviews, seller reviews, questions, and the photos of all of them. */
export function LibraryTabs({ current, clientId, filter = { kind: "review", sort: "newest" } }: Props) {
  const t = useTranslations();
  const href = (path: string, query = new URLSearchParams()) => {
    if (clientId !== undefined) query.set("client_id", clientId);
    return query.size > 0 ? `${path}?${query}` : path;
  };
  const kinds = moderatedKinds.map((kind) => ({
    name: t(kindTitles[kind]),
    href: href("/portal/library", libraryQuery({ ...filter, kind })),
    current: kind === current,
  }));
  const photos = { name: t("queue.photos"), href: href("/portal/library/photos"), current: current === "photos" };
  return <FilterLinks label={t("queue.type")} links={[...kinds, photos]} />;
}
