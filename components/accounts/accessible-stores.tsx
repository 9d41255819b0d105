import type { ReactNode } from "react";
import { useTranslations } from "#messages";
import type { ClientName } from "@/components/accounts/client-choice";
import { StoreName } from "@/components/accounts/store-name";

/** Most names to list; the rest is counted. */
const MAX_LISTED = 3;

type Props = {
  clients: readonly string[];
  /** names of clients that the viewer can access */
  names: readonly ClientName[];
  /** number of further clients whose names the viewer may not see */
  others: number;
  /** shown after a client's name */
  roleNote?: (id: string) => ReactNode;
};

/** The clients that a key or person can access, as a table cell. */
export function AccessibleStores({ clients, names, others, roleNote }: Props) {
  const t = useTranslations();
  const more = Math.max(0, clients.length - MAX_LISTED) + others;
  return (
    <>
      {clients.slice(0, MAX_LISTED).map((id) => (
        <StoreName key={id} id={id} names={names} note={roleNote?.(id)} />
      ))}
      {more > 0 && <span className="text-muted">{t("access.moreStores", { n: more })}</span>}
    </>
  );
}

/** Whether any of them can access more than the page's client, so that a column for clients is useful. */
export const hasSeveralStores = (lines: readonly { clients: readonly string[]; other_clients: number }[]): boolean =>
  lines.some(({ clients, other_clients }) => clients.length + other_clients > 1);
