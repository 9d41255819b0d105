"use client";

import { useId } from "react";
import { useTranslations } from "#messages";
import type { ClientName } from "@/components/accounts/client-choice";
import { roleLabels } from "@/components/accounts/labels";
import type { AssignableRole } from "@/components/accounts/role-choice";
import { Select } from "@/components/ui/field";
import { assignableRoles } from "@/lib/accounts/values";

export type Roles = Record<string, AssignableRole>;

type Props = {
  /** the role at clients without a role of their own */
  usual: AssignableRole;
  clients: ClientName[];
  /** the clients that the person can access */
  chosen: readonly string[];
  roles: Roles;
  onChange: (roles: Roles) => void;
  error?: string;
};

/** Different roles at some of a person's clients. Shown only if there are several. */
export function RolesByClient({ usual, clients, chosen, roles, onChange, error }: Props) {
  const t = useTranslations();
  const own = useId();
  const shown = clients.filter(({ id }) => chosen.includes(id));
  if (shown.length < 2) return null;
  const wrong = error ? `${own}-error` : undefined;
  return (
    <fieldset aria-describedby={wrong}>
      <legend className="text-sm font-medium">{t("team.roleByStore")}</legend>
      <div className="mt-1.5 flex max-h-56 flex-col gap-1.5 overflow-y-auto">
        {shown.map(({ id, display_name }) => (
          <label key={id} htmlFor={`${own}-${id}`} className="flex items-center gap-3 text-sm">
            <span className="min-w-0 flex-1 truncate" title={id}>
              {display_name}
            </span>
            <span className="w-44 shrink-0">
              <Select
                id={`${own}-${id}`}
                aria-describedby={wrong}
                aria-invalid={error ? true : undefined}
                value={roles[id] ?? ""}
                onChange={({ target }) => {
                  const { [id]: _, ...others } = roles;
                  onChange(target.value === "" ? others : { ...others, [id]: target.value as AssignableRole });
                }}
              >
                <option value="">{t("team.defaultRole", { role: t(roleLabels[usual].name) })}</option>
                {assignableRoles
                  .filter((role) => role !== usual)
                  .map((role) => (
                    <option key={role} value={role}>
                      {t(roleLabels[role].name)}
                    </option>
                  ))}
              </Select>
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={wrong} className="mt-1.5 text-sm font-medium text-bad">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** Only the roles that matter: at a selected client, and different from the default role. */
export const rolesOf = (roles: Roles, defaultRole: string, chosen: readonly string[]): Roles =>
  Object.fromEntries(Object.entries(roles).filter(([id, role]) => role !== defaultRole && chosen.includes(id)));
