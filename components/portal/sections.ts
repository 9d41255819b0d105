import {
  Building2,
  ChartColumn,
  House,
  Inbox,
  type LucideIcon,
  Mailbox,
  MessageCircleQuestionMark,
  Package,
  Plug,
  Rss,
  Send,
  Settings,
  ShieldUser,
  Star,
  Store,
  Tag,
  Workflow,
} from "lucide-react";
import type { Role } from "@/lib/http/contract";

/** `role`: the least role that sees the page. */
export type Section = { path: string; name: string; icon: LucideIcon; role?: Role };

/** The portal's pages, in the order of the navigation. Only what exists stands here. */
export const sections: Section[] = [
  { path: "/portal", name: "Home", icon: House },
  { path: "/portal/queue", name: "Queue", icon: Inbox },
  { path: "/portal/reviews", name: "Reviews", icon: Star },
  { path: "/portal/seller_reviews", name: "Seller reviews", icon: Store },
  { path: "/portal/questions", name: "Questions", icon: MessageCircleQuestionMark },
  { path: "/portal/orders", name: "Orders", icon: Package },
  { path: "/portal/products", name: "Products", icon: Tag },
  { path: "/portal/feeds", name: "Feeds", icon: Rss },
  { path: "/portal/invitations", name: "Invitations", icon: Send },
  { path: "/portal/analytics", name: "Analytics", icon: ChartColumn },
  { path: "/portal/integrations", name: "Integrations", icon: Plug },
  { path: "/portal/privacy", name: "Personal data", icon: ShieldUser, role: "admin" },
  { path: "/portal/settings", name: "Settings", icon: Settings },
  { path: "/portal/accounts", name: "Accounts", icon: Building2, role: "operator" },
  { path: "/portal/mailbox", name: "Mailbox", icon: Mailbox, role: "operator" },
  { path: "/portal/jobs", name: "Jobs", icon: Workflow, role: "operator" },
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
