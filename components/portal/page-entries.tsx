"use client";

import { CircleUser, LogOut } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { useTranslations } from "#messages";
import { ListLink } from "@/components/portal/list-link";
import type { SectionGroup } from "@/components/portal/sections";
import { Link } from "@/components/ui/link";
import { MenuItem, MenuLabel, MenuSeparator } from "@/components/ui/menu";

type Props = {
  groups: SectionGroup[];
  /** path of the section that is shown */
  current: string | undefined;
  href: (path: string) => string;
  /** icons of the sections, by path */
  icons: Record<string, ReactNode>;
  pendingCount: ReactNode;
  /** the person's name */
  name: string;
  onSignOut: () => void;
};

/** The entries of the menu of narrow screens: the pages that wide ones show beside each page, and the account. */
export function PageEntries({ groups, current, href, icons, pendingCount, name, onSignOut }: Props) {
  const t = useTranslations();
  return (
    <>
      {groups.map(({ title, sections }) => (
        <Fragment key={title ?? ""}>
          {title && <MenuLabel>{t(title)}</MenuLabel>}
          {sections.map((section) => (
            <MenuItem key={section.path}>
              <ListLink href={href(section.path)} aria-current={current === section.path ? "page" : undefined}>
                <span className="text-muted">{icons[section.path]}</span>
                <span className="flex-1">{t(section.name)}</span>
                {section.path === "/portal/queue" && pendingCount}
              </ListLink>
            </MenuItem>
          ))}
        </Fragment>
      ))}
      <MenuSeparator />
      <MenuLabel>{name}</MenuLabel>
      <MenuItem>
        <Link href={href("/portal/account")}>
          <CircleUser aria-hidden="true" className="size-4 text-muted" />
          {t("navigation.yourAccount")}
        </Link>
      </MenuItem>
      <MenuItem onSelect={onSignOut}>
        <button type="button">
          <LogOut aria-hidden="true" className="size-4 text-muted" />
          {t("navigation.signOut")}
        </button>
      </MenuItem>
    </>
  );
}
