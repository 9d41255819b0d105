"use client";

import { useId } from "react";
import { useTranslations } from "#messages";
import { roleLabels } from "@/components/accounts/labels";
import { assignableRoles } from "@/lib/accounts/values";

export type AssignableRole = (typeof assignableRoles)[number];

type Props = { role: AssignableRole; onChange: (role: AssignableRole) => void };

export function RoleChoice({ role, onChange }: Props) {
  const t = useTranslations();
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="mb-1.5 text-sm font-medium">{t("access.role")}</legend>
      {assignableRoles.map((each) => (
        <label key={each} className="flex gap-2.5 text-sm">
          <input
            type="radio"
            name={name}
            checked={role === each}
            onChange={() => onChange(each)}
            className="mt-0.5 size-4 shrink-0 accent-accent"
          />
          <span>
            <span className="font-medium">{t(roleLabels[each].name)}</span>
            <span className="block text-muted">{t(roleLabels[each].what)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
