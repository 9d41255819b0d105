"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "#messages";
import { fieldLabels } from "@/components/imports/labels";
import { Field, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Switch } from "@/components/ui/switch";
import { call, messageOf } from "@/lib/platform/http/client";
import type { changeReviewImportContract } from "@/lib/transfer/imports/contract";
import type { ImportChoices } from "@/lib/transfer/imports/schema";
import { type MappedField, mappedFields } from "@/lib/transfer/imports/values";

type Props = {
  id: string;
  clientId: string;
  /** Columns of the file with values; null for our own files, whose columns have fixed names. */
  columns: { name: string; samples: string[] }[];
  fields: Record<MappedField, string | null> | null;
  choices: ImportChoices;
};

/** Which column contains what, and options. Every change is saved at once, and shown in the preview. */
export function MappingForm({ id, clientId, columns, fields, choices }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const [current, setCurrent] = useState(choices);
  const save = useMutation({
    // One after the other, and before the next step: every change contains the earlier ones.
    scope: { id: `import:${id}` },
    mutationFn: (body: ImportChoices) =>
      call<typeof changeReviewImportContract>("PUT /portal/api/v1/imports/{id}", {
        params: { id },
        query: { client_id: clientId },
        body,
      }),
    onSuccess: () => router.refresh(),
    onError: () => setCurrent(choices),
  });
  const change = (body: ImportChoices) => {
    setCurrent(body);
    save.mutate(body);
  };
  const samplesOf = (name: string | null) => columns.find((column) => column.name === name)?.samples ?? [];
  return (
    <div className="flex flex-col gap-5">
      {fields && (
        <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
          {mappedFields.map((field) => {
            const column = current.mapping[field] === undefined ? fields[field] : (current.mapping[field] ?? null);
            return (
              <Field key={field} id={`column-${field}`} label={t(fieldLabels[field])}>
                {(wiring) => (
                  <>
                    <Select
                      {...wiring}
                      value={column ?? ""}
                      onChange={({ target }) =>
                        change({ ...current, mapping: { ...current.mapping, [field]: target.value || null } })
                      }
                    >
                      <option value="">{t("imports.noColumn")}</option>
                      {columns.map(({ name }) => (
                        <option key={name} value={name}>
                          {name}
                        </option>
                      ))}
                    </Select>
                    {samplesOf(column).length > 0 && (
                      <p className="mt-1 truncate text-xs text-muted">{samplesOf(column).join(" · ")}</p>
                    )}
                  </>
                )}
              </Field>
            );
          })}
        </div>
      )}
      {fields && (
        <>
          <Switch
            id="import-pending"
            label={t("imports.pending")}
            checked={current.pending}
            onChange={(pending) => change({ ...current, pending })}
          >
            {t("imports.pendingHint")}
          </Switch>
          <Switch
            id="import-photos"
            label={t("imports.fetchPhotos")}
            checked={current.fetch_photos}
            onChange={(fetch_photos) => change({ ...current, fetch_photos })}
          >
            {t("imports.fetchPhotosHint")}
          </Switch>
        </>
      )}
      {save.error && (
        <Notice tone="bad" alert>
          {messageOf(save.error, t)}
        </Notice>
      )}
    </div>
  );
}
