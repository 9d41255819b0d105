"use client";

import { useTranslations } from "#messages";
import { ClientChoice, type ClientName } from "@/components/accounts/client-choice";

export type StoreAccess = { all: boolean; clients: string[] };

type Props = {
  clients: ClientName[];
  access: StoreAccess;
  onChange: (reach: StoreAccess) => void;
  /** whether the viewer may grant access to the whole account */
  canGrantAll: boolean;
  error?: string;
};

/** The clients that a person can access: selected ones, or all of the account. */
export function StoreAccessField({ clients, access, onChange, canGrantAll, error }: Props) {
  const t = useTranslations();
  return (
    <>
      {canGrantAll && (
        <label className="flex gap-2.5 text-sm">
          <input
            type="checkbox"
            checked={access.all}
            onChange={({ target }) => onChange({ ...access, all: target.checked })}
            className="mt-0.5 size-4 shrink-0 accent-accent"
          />
          <span>
            <span className="font-medium">{t("team.accountStores")}</span>
            <span className="block text-muted">{t("team.accountStoresHint")}</span>
          </span>
        </label>
      )}
      {!access.all && (
        <ClientChoice
          legend={t("team.selectStores")}
          clients={clients}
          chosen={access.clients}
          onChange={(chosen) => onChange({ ...access, clients: chosen })}
          error={error}
        />
      )}
    </>
  );
}
