"use client";

import { useId } from "react";
import { useTranslations } from "#messages";
import { roleWords } from "@/components/accounts/words";
import { givenRoles } from "@/lib/accounts/values";

export type GivenRole = (typeof givenRoles)[number];

type Props = { role: GivenRole; onChange: (role: GivenRole) => void };

export function RoleChoice({ role, onChange }: Props) {
  const t = useTranslations();
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="mb-1.5 text-sm font-medium">{t("access.role")}</legend>
      {givenRoles.map((each) => (
        <label key={each} className="flex gap-2.5 text-sm">
          <input
            type="radio"
            name={name}
            checked={role === each}
            onChange={() => onChange(each)}
            className="mt-0.5 size-4 shrink-0 accent-accent"
          />
          <span>
            <span className="font-medium">{t(roleWords[each].name)}</span>
            <span className="block text-muted">{t(roleWords[each].what)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
