import { Bell, Settings } from "lucide-react";
import { defaultClientId, orNotFound, param, pathWithQuery, requirePerson, type Search } from "@/app/_guard";
import { MarkAllRead } from "@/components/portal/notifications/mark-all-read";
import { NotificationEntry } from "@/components/portal/notifications/notification-entry";
import { PageHead } from "@/components/portal/page-head";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterLinks } from "@/components/ui/filter-links";
import { Link } from "@/components/ui/link";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { listNotifications } from "@/lib/accounts/notifications/list-notifications";
import { getClient, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { env } from "@/lib/platform/env";

export const generateMetadata = () => titleMetadata("common.notifications");

const path = "/portal/notifications";

export default async function NotificationsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const search = await searchParams;
  const actor = await requirePerson({ path, search });
  const unread = param(search, "unread") === "1" ? "1" : undefined;
  const after = param(search, "after");
  const [{ data, links }, clientId] = await Promise.all([
    orNotFound(listNotifications(actor, { unread, after }, new URL(env().PUBLIC_URL))),
    defaultClientId(actor),
  ]);
  const client = clientId === null ? null : await getClient(clientId);
  const [newest] = data;
  const next = links.next && (new URL(links.next).searchParams.get("after") ?? undefined);
  return (
    <div className="mx-auto max-w-4xl px-4 py-6 lg:px-8">
      <PageHead
        title={t("common.notifications")}
        tools={
          <Link href="/portal/account#notifications" className={buttonClass()}>
            <Settings aria-hidden="true" className="size-4" />
            {t("notifications.settings")}
          </Link>
        }
      >
        {t("notifications.intro")}
      </PageHead>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <FilterLinks
          label={t("common.filters")}
          links={[
            { name: t("common.all"), href: path, current: !unread },
            { name: t("notifications.unread"), href: pathWithQuery(path, { unread: "1" }), current: Boolean(unread) },
          ]}
        />
        {!after && newest && data.some(({ read_at }) => read_at === null) && <MarkAllRead newest={newest} />}
      </div>
      {data.length > 0 ? (
        <ul className="rounded-card border border-line p-1 shadow-raised">
          {data.map((notification) => (
            <li key={notification.id}>
              <NotificationEntry notification={notification} timeZone={client ? timeZoneOf(client) : "UTC"} />
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState
          icon={<Bell aria-hidden="true" />}
          title={unread ? t("notifications.emptyUnreadTitle") : t("notifications.emptyTitle")}
        >
          {t("notifications.emptyHint")}
        </EmptyState>
      )}
      {next && (
        <p className="mt-4 text-center">
          <Link href={pathWithQuery(path, { unread, after: next })} className={buttonClass()}>
            {t("notifications.older")}
          </Link>
        </p>
      )}
    </div>
  );
}
