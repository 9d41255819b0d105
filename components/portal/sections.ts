import type { Role } from "@/lib/platform/http/contract";

/** `role`: the least role that sees the page. */
export type Section = { path: string; name: string; role?: Role };

/** The portal's pages, in the order of the navigation. Only what exists stands here. */
export const sections: Section[] = [
  { path: "/portal", name: "Home" },
  { path: "/portal/queue", name: "Queue" },
  { path: "/portal/reviews", name: "Reviews" },
  { path: "/portal/seller_reviews", name: "Seller reviews" },
  { path: "/portal/questions", name: "Questions" },
  { path: "/portal/orders", name: "Orders" },
  { path: "/portal/products", name: "Products" },
  { path: "/portal/feeds", name: "Feeds" },
  { path: "/portal/invitations", name: "Invitations" },
  { path: "/portal/analytics", name: "Analytics" },
  { path: "/portal/integrations", name: "Integrations" },
  { path: "/portal/privacy", name: "Personal data", role: "admin" },
  { path: "/portal/settings", name: "Settings" },
  { path: "/portal/accounts", name: "Accounts", role: "operator" },
  { path: "/portal/mailbox", name: "Mailbox", role: "operator" },
  { path: "/portal/jobs", name: "Jobs", role: "operator" },
];

/** Pages that stand by themselves and belong to another's section. */
const elsewhere: Record<string, string> = { "/portal/audit": "/portal/settings" };

/** The section a path belongs to: the longest one that leads to it. Home is only itself. */
export const sectionOf = (pathname: string): Section | undefined => {
  const at = elsewhere[pathname] ?? pathname;
  return [...sections]
    .sort((a, b) => b.path.length - a.path.length)
    .find(({ path }) => at === path || (path !== "/portal" && at.startsWith(`${path}/`)));
};
