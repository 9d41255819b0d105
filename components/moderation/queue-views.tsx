"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "#messages";
import { systemViewNames } from "@/components/moderation/labels";
import { viewsOptions } from "@/components/moderation/queries";
import { ViewsMenu } from "@/components/moderation/views-menu";
import type { removeViewContract, saveViewContract } from "@/lib/moderation/queue/contract";
import { filterQueryString } from "@/lib/moderation/queue/rules";
import type { QueueFilter } from "@/lib/moderation/queue/schema";
import { call, messageOf } from "@/lib/platform/http/client";
import { formatCount } from "@/lib/platform/i18n/format";
import { textFor } from "@/lib/platform/i18n/text-for";

type Props = {
  clientId: string;
  filter: QueueFilter;
  href: (filter: QueueFilter) => string;
  onChange: (filter: QueueFilter) => void;
};

/** The views of the queue, built-in and own, each a link with its number of items. */
export function QueueViews({ clientId, filter: current, href, onChange }: Props) {
  const t = useTranslations();
  const cache = useQueryClient();
  const views = useQuery(viewsOptions(clientId));
  const query = { client_id: clientId };
  const save = (name: string, filter: QueueFilter) =>
    call<typeof saveViewContract>("POST /portal/api/v1/queue_views", { query, body: { name, filter } });
  return (
    <ViewsMenu
      className="max-w-64"
      views={(views.data ?? []).map(({ id, own, name: ownName, filter, count, more }) => {
        const name = ownName ?? textFor(systemViewNames, id, t) ?? "";
        return {
          id,
          own,
          name,
          href: href(filter),
          isCurrent: filterQueryString(filter) === filterQueryString(current),
          count: formatCount(count, t.language, more),
          onSelect: () => onChange(filter),
          restore: () => save(name, filter),
        };
      })}
      note={
        views.isPending ? (
          <p className="px-2.5 py-2 text-sm text-muted">{t("common.loading")}</p>
        ) : (
          views.isError && <p className="px-2.5 py-2 text-sm text-bad">{messageOf(views.error, t)}</p>
        )
      }
      onOpen={() => views.isStale && void views.refetch()}
      save={(name) => save(name, current)}
      remove={({ id }) =>
        call<typeof removeViewContract>("DELETE /portal/api/v1/queue_views/{id}", { params: { id }, query })
      }
      refresh={() => cache.invalidateQueries({ queryKey: viewsOptions(clientId).queryKey })}
    />
  );
}
