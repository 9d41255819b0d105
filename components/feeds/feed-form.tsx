"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useTranslations } from "#messages";
import { importKindLabels, scheduleLabels } from "@/components/feeds/labels";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, Select, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import type { createFeedContract, updateFeedContract } from "@/lib/feeds/contract";
import type { Feed, FeedInput, Schedule } from "@/lib/feeds/schema";
import { type FeedKind, feedKinds, uploadFormats } from "@/lib/feeds/values";
import { call, issueOf, messageOf } from "@/lib/platform/http/client";

type Props = { feed: Feed | null; clientId: string; open: boolean; onOpenChange: (open: boolean) => void };

/** The settings of a new or existing feed in a dialog. */
export function FeedForm({ feed, clientId, open, onOpenChange }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const [kind, setKind] = useState<FeedKind>(feed?.kind ?? "products");
  const save = useMutation({
    mutationFn: async (input: FeedInput) => {
      const query = { client_id: clientId };
      if (feed)
        await call<typeof updateFeedContract>("PUT /portal/api/v1/feeds/{id}", {
          params: { id: feed.id },
          query,
          body: input,
        });
      else await call<typeof createFeedContract>("POST /portal/api/v1/feeds", { query, body: { ...input, kind } });
    },
    onSuccess: () => {
      onOpenChange(false);
      router.refresh();
    },
  });
  const issue = (member: string) => issueOf(save.error, member);
  const general = save.error && !["url", "mapping", "schedule", "format"].some(issue) ? messageOf(save.error, t) : null;

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    save.mutate({
      url: text("url"),
      format: (text("format") || null) as FeedInput["format"],
      schedule: text("schedule") as Schedule,
      enabled: form.has("enabled"),
      mapping: kind === "products" ? readMapping(text("mapping")) : {},
    });
  };

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={feed ? t("feeds.editTitle") : t("common.addFeed")}
      description={feed ? undefined : t("feeds.addHint")}
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        {!feed && (
          <Field id="feed-kind" label={t("feeds.kind")}>
            {(wiring) => (
              <Select {...wiring} value={kind} onChange={(event) => setKind(event.target.value as FeedKind)}>
                {feedKinds.map((each) => (
                  <option key={each} value={each}>
                    {t(importKindLabels[each])}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        <Field
          id="feed-url"
          label={t("common.url")}
          error={issue("url")}
          hint={
            feed?.address_lost
              ? t("feeds.urlReenterHint")
              : feed?.hidden
                ? t("feeds.urlHiddenHint")
                : kind === "products"
                  ? t("feeds.productUrlHint")
                  : t("feeds.orderUrlHint")
          }
        >
          {(wiring) => (
            <Input
              {...wiring}
              name="url"
              type="url"
              required
              maxLength={2_000}
              defaultValue={feed?.address_lost ? "" : feed?.url}
              placeholder="https://shop.example/feed.xml"
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
        <div className="grid grid-cols-2 gap-4">
          <Field id="feed-schedule" label={t("feeds.frequency")} error={issue("schedule")}>
            {(wiring) => (
              <Select {...wiring} name="schedule" defaultValue={feed?.schedule ?? "daily"}>
                {Object.entries(scheduleLabels).map(([value, words]) => (
                  <option key={value} value={value}>
                    {t(words)}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field id="feed-format" label={t("feeds.format")} error={issue("format")}>
            {(wiring) => (
              <Select {...wiring} name="format" defaultValue={feed?.format ?? ""}>
                <option value="">{t("feeds.detectFormat")}</option>
                {uploadFormats.map((format) => (
                  <option key={format} value={format}>
                    {format.toUpperCase()}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        {kind === "products" && (
          <details className="text-sm" open={Object.keys(feed?.mapping ?? {}).length > 0 || Boolean(issue("mapping"))}>
            <summary className="w-fit rounded-control font-medium">{t("feeds.mappingTitle")}</summary>
            <Field
              id="feed-mapping"
              className="mt-3"
              label={t("feeds.mapping")}
              optional
              error={issue("mapping")}
              hint={t("feeds.mappingHint", {
                names: "id, name, url, brand, image_url, family_id, category, gtin, mpn",
              })}
            >
              {(wiring) => (
                <TextArea
                  {...wiring}
                  name="mapping"
                  rows={3}
                  className="font-mono"
                  spellCheck={false}
                  defaultValue={writeMapping(feed?.mapping ?? {})}
                  placeholder={"artikelnummer = id\nbezeichnung = name"}
                />
              )}
            </Field>
          </details>
        )}
        <label className="flex items-center gap-2.5 text-sm font-medium">
          <input type="checkbox" name="enabled" defaultChecked={feed?.enabled ?? true} className="size-4" />
          {t("feeds.fetchOnSchedule")}
        </label>
        {general && (
          <Notice tone="bad" alert>
            {general}
          </Notice>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={() => onOpenChange(false)}>{t("common.cancel")}</Button>
          <Button type="submit" variant="primary" disabled={save.isPending}>
            {feed ? t("common.save") : t("feeds.addAndFetch")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Parses lines `theirs = ours`. Keeps a line without `=` as a key, so that the service reports it. */
export function readMapping(text: string): Record<string, string> {
  const pairs = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const at = line.lastIndexOf("=");
      return at < 0 ? [line, ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    });
  return Object.fromEntries(pairs);
}

const writeMapping = (mapping: Record<string, string>): string =>
  Object.entries(mapping)
    .map(([theirs, ours]) => `${theirs} = ${ours}`)
    .join("\n");
