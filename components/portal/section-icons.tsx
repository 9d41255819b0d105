import {
  Building2,
  ChartColumn,
  FileInput,
  House,
  Inbox,
  ListChecks,
  type LucideIcon,
  Mailbox,
  Package,
  Plug,
  Rss,
  Scale,
  Send,
  Settings,
  ShieldUser,
  Star,
  Tag,
  TriangleAlert,
  Workflow,
} from "lucide-react";
import type { ReactNode } from "react";

const icons: Record<string, LucideIcon> = {
  "/portal": House,
  "/portal/queue": Inbox,
  "/portal/library": Star,
  "/portal/orders": Package,
  "/portal/products": Tag,
  "/portal/feeds": Rss,
  "/portal/invitations": Send,
  "/portal/analytics": ChartColumn,
  "/portal/bias": Scale,
  "/portal/setup": ListChecks,
  "/portal/integrations": Plug,
  "/portal/imports": FileInput,
  "/portal/privacy": ShieldUser,
  "/portal/settings": Settings,
  "/portal/accounts": Building2,
  "/portal/failures": TriangleAlert,
  "/portal/mailbox": Mailbox,
  "/portal/jobs": Workflow,
};

export const sectionIcons = (): Record<string, ReactNode> =>
  Object.fromEntries(
    Object.entries(icons).map(([path, Icon]) => [path, <Icon key={path} aria-hidden="true" className="size-4" />]),
  );
