"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type ReactNode, startTransition, useEffect, useRef, useState, useTransition } from "react";
import { useTranslations } from "#messages";
import { type FieldDef, SettingField } from "@/components/settings/fields";
import {
  changedBlocks,
  changesOf,
  type Draft,
  type Issues,
  idOf,
  issueAt,
  issuesOf,
  type SettingName,
  type Settings,
  settingOf,
  updateDraft,
  withDraft,
  withoutSent,
} from "@/components/settings/settings-draft";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useToast } from "@/components/ui/toast";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import type { setSettingsContract } from "@/lib/accounts/stores/contract";
import { call, isConflict, issuesIn, messageOf, translateIssues } from "@/lib/platform/http/client";
import { formatCount } from "@/lib/platform/i18n/format";

export type Group = { title: string; text?: string; fields: FieldDef[] };

export type SettingsPageProps = {
  clientId: string;
  version: number;
  settings: Settings;
  /** others see the settings read-only */
  mayChange: boolean;
};

type Props = SettingsPageProps & {
  /** may depend on the unsaved settings */
  groups: Group[] | ((settings: Settings) => Group[]);
  /** shown above the groups; follows unsaved settings */
  above?: (settings: Settings, edit: Edit) => ReactNode;
  /** shown below the groups */
  below?: (settings: Settings, edit: Edit) => ReactNode;
  /** the name of a setting without a field of its own on the page */
  nameOf?: (field: string) => string;
  /** shown below the fields; follows unsaved settings */
  preview?: (settings: Settings) => ReactNode;
  /** on wide screens the preview is shown beside the fields */
  isPreviewBeside?: boolean;
};

/** Changes settings from elsewhere than the fields of the groups. */
export type Edit = {
  set: (name: SettingName, value: unknown) => void;
  issues: Issues;
  isUnsaved: boolean;
};

/** A settings page: changes are kept until they are saved, all together or not at all. */
export function SettingsForm({
  clientId,
  version,
  settings,
  mayChange,
  groups: groupsOrFactory,
  above,
  below,
  nameOf = (field) => field,
  preview,
  isPreviewBeside = false,
}: Props) {
  const t = useTranslations();
  const router = useRouter();
  const toast = useToast();
  const [draft, setDraft] = useState<Draft>({});
  const [issues, setIssues] = useState<Issues>([]);
  // A version that someone else has changed since. Nothing is saved against it, also while the new one is loading.
  const [stale, setStale] = useState<number | null>(null);
  const names = Object.keys(draft) as SettingName[];
  const shown = withDraft(settings, draft);
  const groups = typeof groupsOrFactory === "function" ? groupsOrFactory(shown) : groupsOrFactory;
  // Not `save.isPending`, which is rendered a moment later: what is typed until then could be lost.
  const [isSaving, setSaving] = useState(false);
  const [isRefreshing, startRefresh] = useTransition();
  // Nothing can be changed until the saved values are there: it would be lost, or saved against an outdated version.
  const isBusy = isSaving || isRefreshing;
  /** What has the focus while it is being saved; also prevents a second save by a double click. */
  const submitter = useRef<HTMLElement | null>(null);
  const save = useMutation({
    /** Returns what is wrong; then nothing was saved. */
    mutationFn: async (sent: Draft): Promise<Issues> => {
      // The schema is large, so it is loaded when saving. If it can't be loaded, the service validates.
      const found = await import("@/components/settings/validate-draft").then(
        async ({ validateDraft }) => issuesOf(await translateIssues(validateDraft(settings, sent))),
        () => [],
      );
      if (found.length === 0)
        await call<typeof setSettingsContract>("PUT /portal/api/v1/settings", {
          query: { client_id: clientId },
          body: {
            version,
            settings: changesOf(settings, sent),
            blocks: changedBlocks(settings, withDraft(settings, sent)),
          },
        });
      return found;
    },
    onSuccess: (found, sent) => {
      if (found.length > 0) return setIssues(found);
      toast.show({ id: "settings", text: t("settings.saved") });
      startRefresh(() => {
        router.refresh();
        setDraft((held) => withoutSent(held, sent));
        setIssues([]);
      });
    },
    onError: (error) => {
      if (isConflict(error)) setStale(version);
      setIssues(issuesOf(issuesIn(error).filter(({ field }) => field !== null)));
    },
    onSettled: () => setSaving(false),
    // Without a connection it fails at once, as a save with a lost one does.
    networkMode: "always",
  });
  useEffect(() => {
    const focused = submitter.current;
    if (isBusy || !focused) return;
    submitter.current = null;
    if (issues.length > 0) focusIssue(groups, issues);
    // A field in which Enter was pressed lost the focus while it was locked.
    else if (document.activeElement === document.body) focused.focus();
  });
  const submit = () => {
    if (isBusy || submitter.current) return;
    submitter.current = document.activeElement as HTMLElement;
    setSaving(true);
    save.mutate(draft);
  };

  const set = (name: SettingName, value: unknown) => {
    setDraft((held) => updateDraft(settings, held, name, value));
    setIssues((held) =>
      held.filter(({ field }) => field !== name && !field.startsWith(`${name}.`) && !field.startsWith(`${name}[`)),
    );
    if (save.isError) save.reset();
  };
  const edit = { set, issues, isUnsaved: names.length > 0 };
  const fields = groups.flatMap((group) => group.fields);
  const unplacedIssues = issues.filter(
    ({ field }) => !fields.some(({ name }) => issueAt([{ field, message: "" }], name) !== undefined),
  );
  const form = (
    <form
      className="flex min-w-0 flex-col gap-6"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <UnsavedGuard unsaved={names.length > 0 && mayChange} />
      <div inert={isBusy} className="contents">
        {above?.(shown, edit)}
        {!mayChange && <Notice>{t("settings.adminsOnly")}</Notice>}
        {groups.map(({ title, text, fields: own }) => (
          <fieldset
            key={title}
            disabled={!mayChange}
            className="min-w-0 rounded-card border border-line bg-raised p-5 shadow-raised sm:p-6"
          >
            <legend className="contents">
              <span className="block text-lg font-semibold">{title}</span>
            </legend>
            {text && <p className="max-w-prose text-sm text-muted">{text}</p>}
            <div className="mt-5 flex flex-col gap-6">
              {own.map((field) => (
                <SettingField
                  key={field.name}
                  field={field}
                  value={settingOf(shown, field.name)}
                  settings={shown}
                  issue={issueAt(issues, field.name)}
                  issues={issues}
                  disabled={!mayChange}
                  onChange={(value) => set(field.name, value)}
                  page={{ clientId, set }}
                />
              ))}
            </div>
          </fieldset>
        ))}
      </div>
      {(names.length > 0 || save.isError) && (
        <div className="sticky bottom-3 z-10 flex flex-wrap items-center gap-3 rounded-card border border-line bg-raised p-3 pl-5 shadow-float">
          <p role="status" className="min-w-40 flex-1 text-sm">
            {save.error ? (
              <span className="font-medium text-bad">
                {issues.length > 0
                  ? t("settings.errorIssues")
                  : t("common.errorSaving", { message: messageOf(save.error, t) })}
              </span>
            ) : issues.length > 0 ? (
              <span className="font-medium text-bad">{t("common.fixErrors", { n: issues.length })}</span>
            ) : (
              t.rich("settings.unsavedCount", {
                n: names.length,
                count: <span className="figures font-semibold">{formatCount(names.length, t.language)}</span>,
              })
            )}
            {unplacedIssues.map(({ field, message }) => (
              <span key={field} className="block text-bad">
                {nameOf(field)}: {message}
              </span>
            ))}
          </p>
          {isConflict(save.error) ? (
            <Button
              onClick={() =>
                startTransition(() => {
                  save.reset();
                  router.refresh();
                })
              }
            >
              {t("settings.showCurrent")}
            </Button>
          ) : (
            <Button
              variant="quiet"
              disabled={isBusy}
              onClick={() => {
                setDraft({});
                setIssues([]);
                save.reset();
              }}
            >
              {t("common.discard")}
            </Button>
          )}
          <Button type="submit" variant="primary" disabled={isBusy || stale === version}>
            {isBusy ? t("common.saving") : t("common.save")}
          </Button>
        </div>
      )}
    </form>
  );
  const column = below ? (
    <div className="flex min-w-0 flex-col gap-6">
      {form}
      {below(shown, edit)}
    </div>
  ) : (
    form
  );
  if (!preview) return column;
  return (
    <div
      className={
        isPreviewBeside ? "grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,30rem)]" : "flex flex-col gap-6"
      }
    >
      {column}
      <div
        className={
          isPreviewBeside ? "min-w-0 xl:sticky xl:top-4 xl:max-h-[calc(100dvh-2rem)] xl:overflow-y-auto" : undefined
        }
      >
        {preview(shown)}
      </div>
    </div>
  );
}

/** Scrolls to the first issue and focuses it. */
function focusIssue(groups: Group[], issues: Issues): void {
  const first = groups.flatMap(({ fields }) => fields).find(({ name }) => issueAt(issues, name) !== undefined);
  if (first) document.getElementById(idOf(first.name))?.focus();
}
