import type { Role } from "@/lib/platform/http/contract";
import type { MessageKey } from "@/lib/platform/i18n/translator";

/** `role`: the lowest role whose navigation has the page. */
export type Section = { path: string; name: MessageKey; role?: Role };

export type SectionGroup = { title?: MessageKey; sections: Section[] };

/** The portal's pages in the order of the navigation, in groups; the first has no title. */
export const sectionGroups: SectionGroup[] = [
  { sections: [{ path: "/portal", name: "navigation.home" }] },
  {
    title: "common.reviews",
    sections: [
      { path: "/portal/queue", name: "common.queue" },
      { path: "/portal/library", name: "common.reviews" },
    ],
  },
  {
    title: "navigation.collect",
    sections: [
      { path: "/portal/orders", name: "common.orders" },
      { path: "/portal/invitations", name: "navigation.invitations" },
      { path: "/portal/products", name: "navigation.products" },
      { path: "/portal/feeds", name: "navigation.feeds" },
    ],
  },
  {
    title: "navigation.insights",
    sections: [
      { path: "/portal/analytics", name: "navigation.analytics" },
      { path: "/portal/bias", name: "navigation.bias" },
    ],
  },
  {
    title: "navigation.setup",
    sections: [
      { path: "/portal/setup", name: "navigation.gettingStarted", role: "admin" },
      { path: "/portal/integrations", name: "navigation.integrations" },
      { path: "/portal/imports", name: "navigation.imports", role: "admin" },
      { path: "/portal/privacy", name: "navigation.personalData", role: "admin" },
      { path: "/portal/settings", name: "navigation.settings" },
    ],
  },
  {
    title: "navigation.operator",
    sections: [
      { path: "/portal/accounts", name: "navigation.accounts", role: "operator" },
      { path: "/portal/failures", name: "navigation.failures", role: "operator" },
      { path: "/portal/mailbox", name: "navigation.mailbox", role: "operator" },
      { path: "/portal/jobs", name: "navigation.jobs", role: "operator" },
    ],
  },
];

export const sections: Section[] = sectionGroups.flatMap((group) => group.sections);

/** The queue's pages for one kind. */
const queuePages = ["/portal/reviews", "/portal/seller_reviews", "/portal/questions"];
/** The section's page, for pages with another address. */
const aliasOf = (pathname: string): string =>
  queuePages.includes(pathname) ? "/portal/queue" : pathname === "/portal/audit" ? "/portal/settings" : pathname;
/** The page of one review, seller review or question. */
const itemPage = /^\/portal\/(?:reviews|seller_reviews|questions)\//;

/** Lists that belong to another page's section, but have an address of their own. */
const lists = [...queuePages, "/portal/library/photos"];

/** Where the person is when they switch to another store: the same list, or the section's first page. */
export const pathForOtherStore = (pathname: string): string =>
  lists.includes(pathname) ? pathname : (sectionOf(pathname)?.path ?? "/portal");

/** The section of a path. Home matches only itself. */
export const sectionOf = (pathname: string): Section | undefined => {
  const at = itemPage.test(pathname) ? "/portal/library" : aliasOf(pathname);
  return sections.find(({ path }) => at === path || (path !== "/portal" && at.startsWith(`${path}/`)));
};

/**
 * The lists that keep an address, if it shows any: that of its section, and in the library also that of its kind, to
 * which an item's page leads back.
 */
export function listsAt(pathname: string, query: URLSearchParams): string[] {
  const list = queuePages.includes(pathname) ? "/portal/queue" : pathname;
  if (list === "/portal/library") return [list, libraryList(query.get("kind") ?? "review")];
  return sections.some(({ path }) => path === list) ? [list] : [];
}

/** The list of one kind in the library. */
export const libraryList = (kind: string): string => `/portal/library?kind=${kind}`;
