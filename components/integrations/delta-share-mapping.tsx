"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { useTranslations } from "#messages";
import type { DeltaShareParts } from "@/components/integrations/delta-share-labels";
import { translateNoticeFields } from "@/components/integrations/translate-notices";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Field, Input, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import type { previewShareContract } from "@/lib/integrations/contract";
import type { SharePreview } from "@/lib/integrations/schema";
import { call, loadNoticeTranslator, messageOf } from "@/lib/platform/http/client";

type Tables = Record<string, string | null | undefined>;
type Columns = Record<string, Record<string, string | null>>;

type Props = {
  clientId: string;
  /** labels of the tables and columns */
  words: DeltaShareParts;
  /** time of the last save; null if not connected yet */
  saved: string | null;
  tables: Tables;
  columns: Columns;
  issueAt: (place: string) => string | undefined;
  onTables: (tables: Tables) => void;
  onColumns: (columns: Columns) => void;
};

const partOrder = ["receipts", "items", "contacts", "stores", "articles"] as const;
const MATCH_BY_NAME = "";
const NOT_IMPORTED = ":left-out:";

/**
 * Which table and column of a data share contains what: detected by name and shown with the first rows, to be
 * corrected.
 */
export function DeltaShareMapping({ clientId, words, saved, tables, columns, issueAt, onTables, onColumns }: Props) {
  const t = useTranslations();
  const preview = useQuery({
    // After a save, the preview uses new names.
    queryKey: ["share-preview", clientId, saved],
    queryFn: async () => {
      const { data } = await call<typeof previewShareContract>("POST /portal/api/v1/integrations/{kind}/preview", {
        params: { kind: "share" },
        query: { client_id: clientId },
      });
      const translateNotices = await loadNoticeTranslator([data, ...data.tables]);
      return {
        ...translateNoticeFields(data, translateNotices),
        tables: data.tables.map((table) => translateNoticeFields(table, translateNotices)),
      };
    },
    enabled: saved !== null,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (saved === null) return <p className="text-sm text-muted">{t("integrations.mappingUnsavedHint")}</p>;
  const issue = preview.data?.fault ?? (preview.error ? messageOf(preview.error, t) : null);
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <div className="flex flex-wrap items-center gap-3 text-sm text-muted">
        <p role="status" className="min-w-40 flex-1">
          {preview.isFetching ? t("integrations.mappingLoading") : t("integrations.mappingSavedHint")}
        </p>
        <Button size="small" disabled={preview.isFetching} onClick={() => void preview.refetch()}>
          <RotateCcw aria-hidden="true" className="size-4" />
          {t("integrations.mappingReload")}
        </Button>
      </div>
      {issue && <Notice tone="bad">{issue}</Notice>}
      {partOrder.map((part) => (
        <Part
          key={part}
          part={part}
          words={words[part]}
          found={preview.data?.tables.find((one) => one.part === part)}
          table={tables[part] ?? null}
          columns={columns[part] ?? {}}
          fault={issueAt(`settings.tables.${part}`) ?? issueAt(`settings.columns.${part}`)}
          onTable={(table) => onTables({ ...tables, [part]: table })}
          onColumns={(own) => onColumns({ ...columns, [part]: own })}
        />
      ))}
    </div>
  );
}

type PartProps = {
  part: (typeof partOrder)[number];
  words: DeltaShareParts[string] | undefined;
  found: SharePreview["tables"][number] | undefined;
  table: string | null;
  columns: Record<string, string | null>;
  fault: string | undefined;
  onTable: (table: string | null) => void;
  onColumns: (columns: Record<string, string | null>) => void;
};

function Part({ part, words, found, table, columns, fault, onTable, onColumns }: PartProps) {
  const t = useTranslations();
  const { title = part, text = "", columns: names = {} } = words ?? {};
  const missingFields = found?.fields.filter(({ needed, column }) => needed && column === null) ?? [];
  const isComplete = found?.table && !found.fault && missingFields.length === 0;
  const selectColumn = (field: string, chosen: string) => {
    const { [field]: _, ...others } = columns;
    onColumns(chosen === MATCH_BY_NAME ? others : { ...others, [field]: chosen === NOT_IMPORTED ? null : chosen });
  };
  return (
    <details
      className="min-w-0 rounded-control border border-line p-4"
      open={found !== undefined && !isComplete && part !== "stores" && part !== "articles"}
    >
      <summary className="rounded-control">
        <span className="inline-flex flex-wrap items-center gap-2.5">
          <span className="font-medium">{title}</span>
          {found && (
            <Badge tone={isComplete ? "good" : "warn"}>
              {isComplete
                ? t("integrations.tableFound")
                : found.table
                  ? t("integrations.tableNeedsAttention")
                  : t("integrations.tableNotFound")}
            </Badge>
          )}
          <span className="text-sm break-all text-muted">{found?.table}</span>
        </span>
      </summary>
      <p className="mt-2 text-sm text-muted">{text}</p>
      {found?.fault && (
        <div className="mt-3">
          <Notice tone="bad">{found.fault}</Notice>
        </div>
      )}
      <Field
        id={`share-table-${part}`}
        className="mt-4 max-w-md"
        label={t("integrations.table")}
        optional
        hint={t("integrations.tableHint")}
        error={fault}
      >
        {(wiring) => (
          <Input
            {...wiring}
            maxLength={255}
            autoComplete="off"
            spellCheck={false}
            placeholder={found?.table?.split(".").at(-1)}
            value={table ?? ""}
            onChange={({ target }) => onTable(target.value.trim() === "" ? null : target.value)}
          />
        )}
      </Field>
      {found && found.columns.length > 0 && (
        <ul className="mt-4 flex flex-col gap-3">
          {found.fields.map(({ field, column, needed }) => {
            const own = columns[field];
            const id = `share-column-${part}-${field}`;
            const examples = found.rows.flatMap((row) => row[field] ?? []);
            return (
              <li
                key={field}
                className="grid min-w-0 items-center gap-x-4 gap-y-1 text-sm sm:grid-cols-[11rem_14rem_1fr]"
              >
                <label htmlFor={id}>
                  {names[field] ?? field}
                  {needed && column === null && (
                    <span className="font-medium text-bad"> {t("integrations.columnRequired")}</span>
                  )}
                </label>
                <Select
                  id={id}
                  value={own === undefined ? MATCH_BY_NAME : own === null ? NOT_IMPORTED : own}
                  onChange={({ target }) => selectColumn(field, target.value)}
                >
                  <option value={MATCH_BY_NAME}>
                    {own === undefined
                      ? (column ?? t("integrations.columnNoMatch"))
                      : t("integrations.columnMatchByName")}
                  </option>
                  {!needed && <option value={NOT_IMPORTED}>{t("integrations.columnNotImported")}</option>}
                  {[...new Set([...found.columns, ...(typeof own === "string" ? [own] : [])])].map((name) => (
                    <option key={name} value={name}>
                      {name}
                    </option>
                  ))}
                </Select>
                <span className="min-w-0 truncate text-muted" title={examples.join(", ")}>
                  {examples.join(", ")}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </details>
  );
}
