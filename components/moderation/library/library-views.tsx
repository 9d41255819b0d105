"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "#messages";
import { defaultViews } from "@/components/moderation/library/labels";
import { type View, ViewsMenu } from "@/components/moderation/views-menu";
import type { removeLibraryViewContract, saveLibraryViewContract } from "@/lib/moderation/library/contract";
import { type LibraryFilter, libraryQuery, readLibraryFilter } from "@/lib/moderation/library/values";
import { call } from "@/lib/platform/http/client";

type OwnView = { id: string; name: string; query: string };

type Props = {
  path: string;
  clientId: string;
  /** in addresses, if the person has several stores */
  clientParam: string | undefined;
  filter: LibraryFilter;
  own: OwnView[];
};

/** The views of the list of reviews, built-in and own. */
export function LibraryViews({ path, clientId, clientParam, filter: current, own }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const query = { client_id: clientId };
  const save = (name: string, filter: LibraryFilter) =>
    call<typeof saveLibraryViewContract>("POST /portal/api/v1/library_views", { query, body: { name, filter } });
  const viewOf = (view: Pick<View, "id" | "name" | "own">, filter: LibraryFilter): View => {
    const params = libraryQuery(filter);
    const isCurrent = params.toString() === libraryQuery(current).toString();
    if (clientParam !== undefined) params.set("client_id", clientParam);
    return { ...view, href: `${path}?${params}`, isCurrent, restore: () => save(view.name, filter) };
  };
  return (
    <ViewsMenu
      className="h-9 max-w-56"
      views={[
        ...defaultViews.map(({ name, filter }) =>
          viewOf({ id: name, name: t(name), own: false }, { kind: "review", sort: "newest", ...filter }),
        ),
        ...own.map(({ id, name, query: saved }) => {
          const params = new URLSearchParams(saved);
          return viewOf(
            { id, name, own: true },
            readLibraryFilter((field) => params.get(field)),
          );
        }),
      ]}
      save={(name) => save(name, current)}
      remove={({ id }) =>
        call<typeof removeLibraryViewContract>("DELETE /portal/api/v1/library_views/{id}", { params: { id }, query })
      }
      refresh={() => router.refresh()}
    />
  );
}
