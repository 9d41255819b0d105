"use client";

import { useState } from "react";
import { useTranslations } from "#messages";
import type { IntegrationForm } from "@/components/integrations/forms";
import { settingControlId } from "@/components/integrations/setting-field";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Field, Input, TextArea } from "@/components/ui/field";

type Props = {
  labels: IntegrationForm["credentials"];
  /** names of the credentials that the current settings need */
  names: readonly string[];
  /** names of stored credentials that may stay unchanged */
  stored: readonly string[];
  /** whether the address is on a different server than before */
  serverChanged: boolean;
  typed: Record<string, string>;
  issueAt: (name: string) => string | undefined;
  onChange: (name: string, text: string) => void;
};

/** Credentials: entered or replaced, and never shown again to anyone. */
export function CredentialFields({ labels, names, stored, serverChanged, typed, issueAt, onChange }: Props) {
  const t = useTranslations();
  const [replacing, setReplacing] = useState<string[]>([]);
  return (
    <fieldset className="min-w-0">
      <legend className="text-sm font-medium">{t("integrations.credentials")}</legend>
      <p className="mb-3 text-sm text-muted">
        {serverChanged ? t("integrations.credentialsServerChanged") : t("integrations.credentialsHint")}
      </p>
      <div className="flex flex-col gap-4">
        {names.map((name) => {
          const { label = name, hint, multiline } = labels[name] ?? {};
          const isStored = stored.includes(name) && !replacing.includes(name) && typed[name] === undefined;
          return isStored ? (
            <div key={name} className="flex flex-wrap items-center gap-2.5 text-sm">
              <span className="font-medium">{label}</span>
              <Badge tone="good">{t("integrations.credentialSaved")}</Badge>
              <Button
                size="small"
                variant="quiet"
                aria-label={t("integrations.replaceCredential", { label })}
                onClick={() => setReplacing([...replacing, name])}
              >
                {t("common.replace")}
              </Button>
            </div>
          ) : (
            <Field key={name} id={settingControlId(name)} label={label} hint={hint} error={issueAt(name)}>
              {(wiring) => (
                <span className="flex max-w-xl items-center gap-2">
                  {multiline ? (
                    <TextArea
                      {...wiring}
                      autoComplete="off"
                      spellCheck={false}
                      maxLength={20_000}
                      className="font-mono"
                      value={typed[name] ?? ""}
                      onChange={({ target }) => onChange(name, target.value)}
                    />
                  ) : (
                    <Input
                      {...wiring}
                      type={name === "username" ? "text" : "password"}
                      // Prevents the browser from filling in or replacing the portal's password.
                      autoComplete="new-password"
                      data-1p-ignore=""
                      spellCheck={false}
                      maxLength={2_000}
                      value={typed[name] ?? ""}
                      onChange={({ target }) => onChange(name, target.value)}
                    />
                  )}
                  {stored.includes(name) && (
                    <Button
                      size="small"
                      variant="quiet"
                      aria-label={t("integrations.keepCredential", { label })}
                      onClick={() => {
                        setReplacing(replacing.filter((one) => one !== name));
                        onChange(name, "");
                      }}
                    >
                      {t("common.keep")}
                    </Button>
                  )}
                </span>
              )}
            </Field>
          );
        })}
      </div>
    </fieldset>
  );
}
