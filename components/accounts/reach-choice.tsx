"use client";

import { useWords } from "#words";
import { ClientChoice, type ClientName } from "@/components/accounts/client-choice";

export type Reach = { all: boolean; clients: string[] };

type Props = {
  clients: ClientName[];
  reach: Reach;
  onChange: (reach: Reach) => void;
  /** whether the whole account may be given */
  mayGiveAll: boolean;
  error?: string;
};

/** Which clients somebody reaches: those named, or all of the account. */
export function ReachChoice({ clients, reach, onChange, mayGiveAll, error }: Props) {
  const t = useWords();
  return (
    <>
      {mayGiveAll && (
        <label className="flex gap-2.5 text-sm">
          <input
            type="checkbox"
            checked={reach.all}
            onChange={({ target }) => onChange({ ...reach, all: target.checked })}
            className="mt-0.5 size-4 shrink-0 accent-accent"
          />
          <span>
            <span className="font-medium">{t("All clients of the account")}</span>
            <span className="block text-muted">{t("Those that come later too.")}</span>
          </span>
        </label>
      )}
      {!reach.all && (
        <ClientChoice
          legend={t("Which clients")}
          clients={clients}
          chosen={reach.clients}
          onChange={(chosen) => onChange({ ...reach, clients: chosen })}
          error={error}
        />
      )}
    </>
  );
}
