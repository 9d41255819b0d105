import type { Role } from "@/lib/platform/http/contract";
import type { MessageKey } from "@/lib/platform/i18n/translator";

/** `role`: the least role that sees the page. */
export type Section = { path: string; name: MessageKey; role?: Role };

/** The portal's pages, in the order of the navigation. Only what exists stands here. */
export const sections: Section[] = [
  { path: "/portal", name: "navigation.home" },
  { path: "/portal/queue", name: "common.queue" },
  { path: "/portal/reviews", name: "common.reviews" },
  { path: "/portal/seller_reviews", name: "common.sellerReviews" },
  { path: "/portal/questions", name: "common.questions" },
  { path: "/portal/orders", name: "common.orders" },
  { path: "/portal/products", name: "navigation.products" },
  { path: "/portal/feeds", name: "navigation.feeds" },
  { path: "/portal/invitations", name: "navigation.invitations" },
  { path: "/portal/analytics", name: "navigation.analytics" },
  { path: "/portal/integrations", name: "navigation.integrations" },
  { path: "/portal/privacy", name: "navigation.personalData", role: "admin" },
  { path: "/portal/settings", name: "navigation.settings" },
  { path: "/portal/accounts", name: "navigation.accounts", role: "operator" },
  { path: "/portal/mailbox", name: "navigation.mailbox", role: "operator" },
  { path: "/portal/jobs", name: "navigation.jobs", role: "operator" },
];

/** Pages that stand by themselves and belong to another's section. */
const sectionAliases: Record<string, string> = { "/portal/audit": "/portal/settings" };

/** The section a path belongs to: the longest one that leads to it. Home is only itself. */
export const sectionOf = (pathname: string): Section | undefined => {
  const at = sectionAliases[pathname] ?? pathname;
  return [...sections]
    .sort((a, b) => b.path.length - a.path.length)
    .find(({ path }) => at === path || (path !== "/portal" && at.startsWith(`${path}/`)));
};
