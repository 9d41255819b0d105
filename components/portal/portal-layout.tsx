"use client";

import { useQuery } from "@tanstack/react-query";
import { LogOut, Menu as MenuIcon } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { Fragment, type ReactNode, useTransition } from "react";
import { useTranslations } from "#messages";
import { pendingCountsOptions } from "@/components/moderation/queries";
import type { Destination } from "@/components/portal/destinations";
import { ListLink } from "@/components/portal/list-link";
import { NotificationBell } from "@/components/portal/notifications/notification-bell";
import { Search } from "@/components/portal/search";
import { sectionGroups, sectionOf } from "@/components/portal/sections";
import { StoreSwitch } from "@/components/portal/store-switch";
import { buttonClass } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-dialog";
import { Link } from "@/components/ui/link";
import { lazyEntries, Menu } from "@/components/ui/menu";
import { hasRole } from "@/lib/accounts/sign-in/rules";
import type { Role } from "@/lib/platform/http/contract";
import { formatCount } from "@/lib/platform/i18n/format";

const PageEntries = lazyEntries(async () => (await import("@/components/portal/page-entries")).PageEntries);
// Test stores only.
const TestClockBar = lazyPart(async () => (await import("@/components/test-clock/test-clock-bar")).TestClockBar);

export type PortalLayoutProps = {
  name: string;
  /** the person's default role, and different ones at some clients */
  role: Role;
  roles: Record<string, Role>;
  /** the product's name with its logo */
  logo: ReactNode;
  /** icons of the sections, by path */
  icons: Record<string, ReactNode>;
  clients: { id: string; display_name: string; test: boolean }[];
  /** the client of pages whose address names none */
  defaultClient: string | null;
  /** whether links must contain the client */
  several: boolean;
  /** pages, settings and actions that the search finds */
  destinations: Destination[];
  signOut: () => Promise<void>;
  children: ReactNode;
};

/** The layout of every portal page: navigation, client switch and sign-out. */
export function PortalLayout(props: PortalLayoutProps) {
  const t = useTranslations();
  // In a transition, errors show in the nearest error boundary, as they do for the form in the wide menu.
  const [, act] = useTransition();
  const pathname = usePathname();
  const current = useSearchParams().get("client_id") ?? props.defaultClient;
  const currentSection = sectionOf(pathname);
  const own = (current === null ? undefined : props.roles[current]) ?? props.role;
  const groups = sectionGroups
    .map(({ title, sections }) => ({
      title,
      sections: sections.filter(({ role }) => role === undefined || hasRole(own, role)),
    }))
    .filter(({ sections }) => sections.length > 0);
  const href = (path: string, client = current) =>
    props.several && client !== null ? `${path}?client_id=${encodeURIComponent(client)}` : path;
  // Shown without a switch, to people with one store or none.
  const clientName = props.clients[0]?.display_name ?? t("navigation.noStores");
  const search = {
    clientId: current,
    several: props.several,
    role: own,
    destinations: props.destinations,
    stores: props.clients,
  };

  return (
    <div className="flex min-h-dvh flex-col lg:h-dvh lg:flex-row print:block print:h-auto">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-control focus:bg-raised focus:px-3 focus:py-2 focus:shadow-float"
      >
        {t("navigation.skipToContent")}
      </a>
      <header className="sticky top-0 z-30 flex h-14 shrink-0 items-center gap-1 border-b border-line bg-surface px-3 sm:gap-2 sm:px-4 lg:hidden print:hidden">
        <Link href={href("/portal")} className="mr-auto rounded-control">
          {props.logo}
        </Link>
        {props.several && <StoreSwitch stores={props.clients} current={current} href={href} />}
        <Search {...search} compact />
        <NotificationBell />
        <Menu
          label={t("navigation.pages")}
          trigger={
            <button
              type="button"
              className={buttonClass({ variant: "quiet", size: "icon" })}
              aria-label={t("navigation.menu")}
            >
              <MenuIcon aria-hidden="true" className="size-5" />
            </button>
          }
        >
          <PageEntries
            groups={groups}
            current={currentSection?.path}
            href={href}
            icons={props.icons}
            pendingCount={<PendingCount clientId={current} />}
            name={props.name}
            onSignOut={() => act(props.signOut)}
          />
        </Menu>
      </header>

      <aside className="hidden w-56 shrink-0 flex-col overflow-y-auto border-r border-line p-3 lg:flex print:hidden">
        <Link href={href("/portal")} className="mx-2 mt-1.5 mb-4 self-start rounded-control">
          {props.logo}
        </Link>
        {props.several ? (
          <StoreSwitch stores={props.clients} current={current} href={href} />
        ) : (
          <p className="truncate px-2 pb-1 text-sm text-muted" title={clientName}>
            {clientName}
          </p>
        )}
        <div className="mt-2 flex shrink-0 items-center gap-1">
          <Search {...search} />
          <NotificationBell />
        </div>
        <nav aria-label={t("navigation.portal")} className="mt-3 flex flex-col gap-0.5">
          {groups.map(({ title, sections }) => (
            <Fragment key={title ?? ""}>
              {title && (
                <p aria-hidden="true" className="mt-2.5 px-2 pb-0.5 text-xs font-medium text-muted">
                  {t(title)}
                </p>
              )}
              <ul aria-label={title && t(title)} className="flex flex-col gap-0.5">
                {sections.map(({ path, name }) => (
                  <li key={path}>
                    <ListLink
                      href={href(path)}
                      aria-current={currentSection?.path === path ? "page" : undefined}
                      className="flex h-8 items-center gap-2.5 rounded-control px-2 text-sm font-medium text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:text-ink"
                    >
                      {props.icons[path]}
                      <span className="flex-1">{t(name)}</span>
                      {path === "/portal/queue" && <PendingCount clientId={current} />}
                    </ListLink>
                  </li>
                ))}
              </ul>
            </Fragment>
          ))}
        </nav>
        <div className="mt-auto flex items-center gap-2 border-t border-line px-2 pt-3">
          <Link
            href={href("/portal/account")}
            aria-current={pathname === "/portal/account" ? "page" : undefined}
            aria-label={t("navigation.yourAccountNamed", { name: props.name })}
            title={props.name}
            className="min-w-0 flex-1 truncate rounded-control text-sm hover:underline aria-[current=page]:font-medium"
          >
            {props.name}
          </Link>
          <form action={props.signOut}>
            <button type="submit" className={buttonClass({ variant: "quiet", size: "small" })}>
              <LogOut aria-hidden="true" className="size-4" />
              {t("navigation.signOut")}
            </button>
          </form>
        </div>
      </aside>

      {/* Positioned, so that hidden elements scroll with it instead of extending the page. */}
      <main
        id="content"
        tabIndex={-1}
        className="relative min-w-0 flex-1 outline-none lg:overflow-y-auto print:overflow-visible"
      >
        {current !== null && props.clients.some(({ id, test }) => test && id === current) && (
          <TestClockBar
            key={current}
            clientId={current}
            mayAdvance={hasRole(own, "admin")}
            recordingHref={href("/portal/recording")}
          />
        )}
        {/* What was typed for one store must not stay in the form of another: the router keeps a page's state. */}
        <Fragment key={current}>{props.children}</Fragment>
      </main>
    </div>
  );
}

/** The queue itself counts more often. */
const COUNT_INTERVAL_MS = 300_000;

/** How many items are pending; nothing if none are. */
function PendingCount({ clientId }: { clientId: string | null }) {
  const t = useTranslations();
  const { data } = useQuery({
    ...pendingCountsOptions(clientId ?? ""),
    refetchInterval: COUNT_INTERVAL_MS,
    enabled: clientId !== null,
  });
  if (!data?.count) return null;
  const count = formatCount(data.count, t.language, data.more);
  return (
    <span className="figures rounded-full bg-sunken px-1.5 text-xs text-ink">
      <span aria-hidden="true">{count}</span>
      <span className="sr-only">{t("navigation.pendingCount", { count })}</span>
    </span>
  );
}
