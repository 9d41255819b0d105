import type { ReactNode } from "react";
import type { ClientName } from "@/components/accounts/client-choice";

type Props = { id: string; names: readonly ClientName[]; note?: ReactNode };

/** A client's name, with its id below; only the id if the name isn't known. */
export function StoreName({ id, names, note }: Props) {
  const name = names.find((client) => client.id === id)?.display_name ?? id;
  return (
    <span className="block">
      <span className="block truncate" title={name}>
        {name}
        {note}
      </span>
      {name !== id && (
        <span className="block truncate text-xs text-muted" title={id}>
          {id}
        </span>
      )}
    </span>
  );
}
