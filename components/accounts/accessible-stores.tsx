import type { ReactNode } from "react";
import { useTranslations } from "#messages";

/** How many are named before the rest is counted. */
const MAX_LISTED = 3;

type Props = {
  clients: readonly string[];
  /** how many more there are, whose names are not told */
  others: number;
  /** what stands behind a client's name */
  note?: (id: string) => ReactNode;
};

/** The clients that a key or a person reaches, in a cell of a table. */
export function AccessibleStores({ clients, others, note }: Props) {
  const t = useTranslations();
  const more = Math.max(0, clients.length - MAX_LISTED) + others;
  return (
    <>
      {clients.slice(0, MAX_LISTED).map((id) => (
        <span key={id} className="block truncate" title={id}>
          {id}
          {note?.(id)}
        </span>
      ))}
      {more > 0 && <span className="text-muted">{t("access.moreStores", { n: more })}</span>}
    </>
  );
}

/** Whether any of them reaches more than the one client that a page is about, so that it is worth a column. */
export const hasSeveralStores = (lines: readonly { clients: readonly string[]; other_clients: number }[]): boolean =>
  lines.some(({ clients, other_clients }) => clients.length + other_clients > 1);
