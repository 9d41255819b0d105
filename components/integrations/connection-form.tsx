"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { useTranslations } from "#messages";
import { ConnectionTest } from "@/components/integrations/connection-test";
import { CredentialFields } from "@/components/integrations/credential-fields";
import { DeltaShareMapping } from "@/components/integrations/delta-share-mapping";
import type { FieldDef, IntegrationForm } from "@/components/integrations/forms";
import { runConnectionTest } from "@/components/integrations/run-connection-test";
import { SettingField, settingControlId } from "@/components/integrations/setting-field";
import { issueAt } from "@/components/settings/settings-draft";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import type { changeIntegrationContract, createIntegrationContract } from "@/lib/integrations/contract";
import type { Integration, IntegrationInput } from "@/lib/integrations/schema";
import {
  call,
  type Issue,
  isConflict,
  issuesIn,
  isUnavailable,
  messageOf,
  translateIssues,
} from "@/lib/platform/http/client";

// Loaded at the first change, since the schemas of all settings are larger than the page.
const loadRules = () => import("@/lib/integrations/rules");

type Values = Record<string, unknown>;
type Issues = { field: string; message: string }[];

type Props = {
  clientId: string;
  kind: Integration["kind"];
  name: string;
  form: IntegrationForm;
  /** null: not connected yet */
  integration: Integration | null;
  /** initial values: the saved settings, or the defaults */
  settings: Values;
  /** names of the credentials that these settings need */
  needs: readonly string[];
  /** path of the integration's page */
  href: string;
};

/**
 * Connects a system or changes its settings. Sends nothing before all of it is valid, never shows stored credentials,
 * and tests the connection after saving.
 */
export function ConnectionForm({ clientId, kind, name, form, integration, settings: saved, needs, href }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const [settings, setSettings] = useState(saved);
  const [secrets, setSecrets] = useState<Record<string, string>>({});
  const [issues, setIssues] = useState<Issues>([]);
  const [isConnected, setConnected] = useState(integration !== null);
  const [tested, setTested] = useState(false);
  const [base, setBase] = useState(saved);
  const [storedNames, setStoredNames] = useState(integration?.secrets ?? []);
  const [version, setVersion] = useState(integration?.version);
  const [savedAt, setSavedAt] = useState(integration?.updated_at ?? null);
  const [saves, setSaves] = useState(0);
  const saving = useRef(false);
  const [rules, setRules] = useState<Awaited<ReturnType<typeof loadRules>>>();
  const isEdited = settings !== saved;
  useEffect(() => {
    // If they can't be loaded, the service validates.
    if (isEdited) loadRules().then(setRules, () => undefined);
  }, [isEdited]);
  const isSame = rules?.isSameServer(kind, settings, base) ?? true;
  const storedSecrets = isConnected && isSame ? storedNames : [];
  const requiredSecrets = rules?.requiredSecretNames(kind, settings) ?? needs;
  const unsaved = JSON.stringify(settings) !== JSON.stringify(base) || Object.keys(secrets).length > 0;
  const query = { client_id: clientId };

  const test = useMutation({
    mutationFn: () => runConnectionTest(kind, clientId),
  });
  const save = useMutation({
    mutationFn: async (sent: { settings: Values; secrets: Record<string, string> }) => {
      // Don't send a secret that was typed for another authentication method; without the rules the service reports it.
      const allowedSecrets = await loadRules().then(
        (loadedRules) => loadedRules.requiredSecretNames(kind, sent.settings),
        () => Object.keys(sent.secrets),
      );
      const own = Object.fromEntries(
        Object.entries(sent.secrets).filter(([secret]) => allowedSecrets.includes(secret)),
      );
      const body = { kind, settings: sent.settings, secrets: own, version } as unknown as IntegrationInput;
      return isConnected
        ? call<typeof changeIntegrationContract>("PUT /portal/api/v1/integrations/{kind}", {
            params: { kind },
            query,
            body,
          })
        : call<typeof createIntegrationContract>("POST /portal/api/v1/integrations", { query, body });
    },
    onSuccess: ({ data }, sent) => {
      setConnected(true);
      // Changes made during the request aren't saved yet.
      setBase(sent.settings);
      setSecrets((held) =>
        Object.fromEntries(Object.entries(held).filter(([name, text]) => sent.secrets[name] !== text)),
      );
      setStoredNames(data.secrets);
      setVersion(data.version);
      setSavedAt(data.updated_at);
      setSaves((count) => count + 1);
      setTested(true);
      test.mutate();
      router.refresh();
    },
    onError: (error) => show(issuesIn(error).map(({ field, message }) => ({ field: field ?? "", message }))),
    onSettled: () => {
      saving.current = false;
    },
  });

  const show = (found: Issues) => {
    setIssues(found);
    const first = document.getElementById(controlIdOfField(found[0]?.field ?? ""));
    first?.closest("details")?.setAttribute("open", "");
    first?.focus();
  };
  const set = (field: string, change: () => void) => {
    change();
    setIssues((held) => held.filter((issue) => issueAt([issue], field) === undefined));
    if (save.isError) save.reset();
  };
  const submit = async () => {
    // Prevents a second save by a double click: React's state updates too late for that.
    if (saving.current) return;
    saving.current = true;
    // If the rules can't be loaded, the service validates.
    const ruleIssues = await loadRules()
      .then((loadedRules) =>
        loadedRules.findInputIssues(
          kind,
          { settings, secrets },
          loadedRules.isSameServer(kind, settings, base) && isConnected ? storedNames : [],
        ),
      )
      .catch(() => []);
    const found = (await translateIssues([...missingNumbers(form, settings), ...ruleIssues])).map(
      ({ field, message }) => ({
        field: field ?? "",
        message,
      }),
    );
    if (found.length === 0) return save.mutate({ settings, secrets });
    saving.current = false;
    show(found);
  };
  const places = form.groups.flatMap(({ fields }) => fields.map((field) => `settings.${field.name}`));
  const unplacedIssues = issues.filter(
    ({ field }) =>
      ![...places, ...requiredSecrets.map((secret) => `secrets.${secret}`)].some(
        (place) => issueAt([{ field, message: "" }], place) !== undefined,
      ),
  );

  return (
    <form
      noValidate
      className="flex min-w-0 flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <UnsavedGuard unsaved={unsaved && !save.isPending} />
      {form.groups.map((group) => {
        const fields = (
          <div className="mt-5 flex flex-col gap-6">
            {group.fields.filter(isShown).map((field) => (
              <SettingField
                key={field.name}
                field={field}
                value={settings[field.name]}
                issue={issueAt(issues, `settings.${field.name}`)}
                onChange={(value) =>
                  set(`settings.${field.name}`, () => setSettings((held) => ({ ...held, [field.name]: value })))
                }
              />
            ))}
            {group.mapping && (
              <DeltaShareMapping
                clientId={clientId}
                words={group.mapping}
                saved={savedAt && `${savedAt} ${saves}`}
                tables={(settings.tables ?? {}) as Record<string, string | null>}
                columns={(settings.columns ?? {}) as Record<string, Record<string, string | null>>}
                issueAt={(place) => issueAt(issues, place)}
                onTables={(tables) => set("settings.tables", () => setSettings((held) => ({ ...held, tables })))}
                onColumns={(columns) => set("settings.columns", () => setSettings((held) => ({ ...held, columns })))}
              />
            )}
            {group.credentials && (
              <CredentialFields
                labels={form.credentials}
                names={requiredSecrets}
                stored={storedSecrets}
                serverChanged={isConnected && !isSame}
                typed={secrets}
                issueAt={(secret) => issueAt(issues, `secrets.${secret}`)}
                onChange={(secret, text) =>
                  set(`secrets.${secret}`, () =>
                    setSecrets(({ [secret]: _, ...others }) => (text === "" ? others : { ...others, [secret]: text })),
                  )
                }
              />
            )}
          </div>
        );
        const card = "min-w-0 rounded-card border border-line bg-raised p-5 shadow-raised sm:p-6";
        if (group.collapsed)
          return (
            <details key={group.title} className={card}>
              <summary className="w-fit rounded-control text-lg font-semibold">{group.title}</summary>
              {fields}
            </details>
          );
        return (
          <fieldset key={group.title} className={card}>
            <legend className="contents">
              <span className="block text-lg font-semibold">{group.title}</span>
            </legend>
            {group.text && <p className="max-w-prose text-sm text-muted">{group.text}</p>}
            {fields}
          </fieldset>
        );
      })}
      {(save.error && issues.length === 0) || unplacedIssues.length > 0 ? (
        <Notice tone="bad" alert>
          {unplacedIssues.length > 0
            ? unplacedIssues.map(({ field, message }) => <p key={field}>{message}</p>)
            : messageOf(save.error, t)}
          {isConflict(save.error) && isConnected && (
            <p className="mt-2">
              {t.rich("common.loadLatestHint", {
                button: (
                  <button
                    type="button"
                    className="rounded-control font-medium underline underline-offset-4"
                    onClick={() => window.location.reload()}
                  >
                    {t("common.loadLatest")}
                  </button>
                ),
              })}
            </p>
          )}
        </Notice>
      ) : null}
      {(!isConnected || unsaved || issues.length > 0) && (
        <div className="sticky bottom-3 z-10 flex flex-wrap items-center gap-3 rounded-card border border-line bg-raised p-3 pl-5 shadow-float">
          <p role="status" className="min-w-40 flex-1 text-sm">
            {issues.length > 0 ? (
              <span className="font-medium text-bad">{t("common.fixErrors", { n: issues.length })}</span>
            ) : !isConnected ? (
              form.consequence
            ) : (
              t("integrations.unsavedChanges")
            )}
          </p>
          {isConnected && unsaved && (
            <Button
              variant="quiet"
              onClick={() => {
                setSettings(base);
                setSecrets({});
                setIssues([]);
                save.reset();
              }}
            >
              {t("common.discard")}
            </Button>
          )}
          <Button type="submit" variant="primary" disabled={save.isPending}>
            {save.isPending
              ? t("common.saving")
              : isConnected
                ? t("integrations.saveAndTest")
                : t("integrations.connectAndTest")}
          </Button>
        </div>
      )}
      <Dialog
        open={tested}
        onOpenChange={setTested}
        title={
          test.isPending
            ? t("integrations.savedTesting")
            : test.data?.ok
              ? t("integrations.connected", { name })
              : t("integrations.savedTestFailed")
        }
      >
        <ConnectionTest checks={test.data} pending={test.isPending} error={test.error} />
        <div className="mt-5 flex flex-wrap justify-end gap-2">
          {(test.data?.ok === false || isUnavailable(test.error)) && (
            <Button onClick={() => setTested(false)}>{t("integrations.editSettings")}</Button>
          )}
          <Button variant="primary" disabled={test.isPending} onClick={() => router.push(href)}>
            {t("integrations.viewIntegration")}
          </Button>
        </div>
      </Dialog>
    </form>
  );
}

/** Fields of the mapping are shown together. */
const isShown = ({ kind }: FieldDef): boolean => kind !== "mapping";

/** Numbers that were cleared: an empty field would otherwise be read as zero. */
const missingNumbers = ({ groups }: IntegrationForm, settings: Values): Issue[] =>
  groups
    .flatMap(({ fields }) => fields)
    .filter(({ kind, name }) => kind === "number" && settings[name] === "")
    .map(({ name }) => ({ field: `settings.${name}`, reason: "required" }));

/** The id of the control for an issue's field. */
const controlIdOfField = (field: string): string =>
  settingControlId(field.replace(/^(settings|secrets)\./, "").split(/[.[]/)[0] ?? "");
