"use client";

import { useMutation } from "@tanstack/react-query";
import { Download, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "#messages";
import { countsText } from "@/components/privacy/counts-text";
import { EraseDialog } from "@/components/privacy/erase-dialog";
import type { SearchedPerson } from "@/components/privacy/person-search";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-text";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { call, messageOf } from "@/lib/platform/http/client";
import { formatDay, formatMoment } from "@/lib/platform/i18n/format";
import type { personFileContract } from "@/lib/privacy/contract";
import type { PersonOverview } from "@/lib/privacy/schema";

type Props = {
  clientId: string;
  several: boolean;
  timeZone: string;
  searched: SearchedPerson;
  found: PersonOverview;
  isErasing: boolean;
  onErase: () => void;
};

/** Number of texts shown first; the file contains all. */
const SHOWN = 5;

/** What is stored about a person, and actions for it. */
export function PersonRecord({ clientId, several, timeZone, searched, found, isErasing, onErase }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const [dialogOpen, setDialogOpen] = useState(false);
  const { person, orders, more_orders, removal: erasure } = found;
  const file = useMutation({
    mutationFn: async () => {
      const body = { [searched.by]: searched.value };
      return (
        await call<typeof personFileContract>("POST /portal/api/v1/personal_data/file", {
          query: { client_id: clientId },
          body,
        })
      ).data;
    },
    onSuccess: (data) => {
      save(JSON.stringify(data, null, 2), `personal-data-${data.made_at.slice(0, 10)}.json`);
      router.refresh();
    },
  });
  const href = (path: string) => (several ? `${path}?client_id=${encodeURIComponent(clientId)}` : path);
  const counts = {
    orders: orders.length,
    reviews: person.reviews.length,
    seller_reviews: person.seller_reviews.length,
    questions: person.questions.length,
  };
  const parts = [
    { name: t("common.reviews"), texts: person.reviews },
    { name: t("common.sellerReviews"), texts: person.seller_reviews },
    { name: t("common.questions"), texts: person.questions },
  ].filter(({ texts }) => texts.length > 0);
  return (
    <section aria-labelledby="person" className="rounded-card border border-line bg-raised shadow-raised">
      <header className="flex flex-wrap items-start gap-x-6 gap-y-4 border-b border-line p-4 sm:p-5">
        <div className="min-w-48 flex-1">
          <h2 id="person" className="flex flex-wrap items-center gap-2 text-lg font-semibold break-words">
            {person.name ?? t("privacy.noName")}
            {(isErasing || erasure) && <Badge tone="warn">{t("privacy.deleting")}</Badge>}
          </h2>
          <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-sm">
            <dt className="text-muted">{t("common.email")}</dt>
            <dd className="break-words">
              {person.email ?? <span className="text-muted">{t("privacy.noAddress")}</span>}
            </dd>
            <dt className="text-muted">{t("common.customerId")}</dt>
            <dd className="break-words">
              {person.customer_id === null ? (
                <span className="text-muted">{t("privacy.noCustomerId")}</span>
              ) : (
                <>
                  {person.customer_id} <CopyButton text={person.customer_id} label={t("common.customerId")} />
                </>
              )}
            </dd>
          </dl>
          {countsText(counts, t) !== "" && (
            <p className="mt-2 text-sm">
              {more_orders ? t("privacy.newestCounts", { counts: countsText(counts, t) }) : countsText(counts, t)}
            </p>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => file.mutate()} aria-disabled={file.isPending}>
            <Download aria-hidden="true" className="size-4" />
            {file.isPending ? t("privacy.preparing") : t("privacy.exportData")}
          </Button>
          <Button variant="bad" onClick={() => setDialogOpen(true)} disabled={isErasing}>
            <Trash2 aria-hidden="true" className="size-4" />
            {t("privacy.deleteAll")}
          </Button>
        </div>
        {file.error && (
          <div className="w-full">
            <Notice tone="bad" alert>
              {t("privacy.errorFile", { message: messageOf(file.error, t) })}
            </Notice>
          </div>
        )}
        {erasure && !isErasing && (
          <div className="w-full">
            <Notice tone="warn">
              {t("privacy.deletionRequested", {
                moment: formatMoment(erasure.since, timeZone, t.language),
              })}{" "}
              {countsText(erasure.removed, t) !== "" &&
                `${t("privacy.deletedSoFar", { counts: countsText(erasure.removed, t) })} `}
              {t("privacy.deletionFollow")}
            </Notice>
          </div>
        )}
      </header>

      {orders.length > 0 && (
        <div className="border-b border-line p-4 last:border-b-0 sm:p-5">
          <h3 className="mb-2 text-sm font-semibold">{t("common.orders")}</h3>
          <ul className="flex flex-col gap-2 text-sm">
            {orders.map((order) => (
              <li key={order.id} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
                <Link href={href(`/portal/orders/${encodeURIComponent(order.id)}`)} className="link font-medium">
                  {order.id}
                </Link>
                <span className="min-w-0 flex-1 basis-48 truncate">
                  {order.first_item ?? t("common.noItems")}
                  {order.item_count > 1 && (
                    <span className="text-muted"> {t("common.andMore", { n: order.item_count - 1 })}</span>
                  )}
                </span>
                <span className="figures text-muted">
                  {order.delivery_date
                    ? t("common.deliveryOn", { day: formatDay(order.delivery_date, t.language) })
                    : t("privacy.receivedAt", { moment: formatMoment(order.created_at, timeZone, t.language) })}
                </span>
              </li>
            ))}
          </ul>
          {more_orders && <p className="mt-2 text-sm text-muted">{t("privacy.olderInFile")}</p>}
        </div>
      )}
      {parts.map(({ name, texts }) => (
        <Texts key={name} name={name} texts={texts} />
      ))}

      <EraseDialog
        open={dialogOpen}
        onOpenChange={setDialogOpen}
        who={searched.value}
        onErase={() => {
          setDialogOpen(false);
          onErase();
        }}
      />
    </section>
  );
}

type Text = PersonOverview["person"]["reviews"][number];

function Texts({ name, texts }: { name: string; texts: Text[] }) {
  const t = useTranslations();
  const [all, setAll] = useState(false);
  const shown = all ? texts : texts.slice(0, SHOWN);
  return (
    <div className="border-b border-line p-4 last:border-b-0 sm:p-5">
      <h3 className="mb-2 text-sm font-semibold">
        {name} <span className="figures font-normal text-muted">{texts.length}</span>
      </h3>
      <ul className="flex flex-col gap-3 text-sm">
        {shown.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: texts have no identity here and never move
          <li key={index} className="max-w-prose">
            <p className="break-words">
              {text.title && <span className="font-medium">{text.title}</span>}{" "}
              {text.author_nick && (
                <span className="text-muted">{t("privacy.asName", { name: text.author_nick })}</span>
              )}
            </p>
            {text.content && <p className="break-words whitespace-pre-line">{text.content}</p>}
            {!text.title && !text.content && <p className="text-muted italic">{t("privacy.starsOnly")}</p>}
          </li>
        ))}
      </ul>
      {texts.length > SHOWN && !all && (
        <Button size="small" className="mt-3" onClick={() => setAll(true)}>
          {t("privacy.showAll", { all: texts.length })}
        </Button>
      )}
    </div>
  );
}

/** Downloads a text as a file. */
function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
