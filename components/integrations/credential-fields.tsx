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
  /** those that are needed as it is set now */
  names: readonly string[];
  /** those that are kept and may stay as they are */
  stored: readonly string[];
  /** the address leads to another server than before */
  serverChanged: boolean;
  typed: Record<string, string>;
  issueAt: (name: string) => string | undefined;
  onChange: (name: string, text: string) => void;
};

/** Credentials: entered or replaced, and never shown again, not even to whoever entered them. */
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
                look="quiet"
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
                      // Not the password of this portal, which a browser would offer and overwrite.
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
                      look="quiet"
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
