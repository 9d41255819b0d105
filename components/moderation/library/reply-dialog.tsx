"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "#messages";
import { itemName, productOf } from "@/components/moderation/labels";
import { templatesOptions } from "@/components/moderation/reply-templates";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import { call, messageOf } from "@/lib/platform/http/client";
import type { writeReplyContract } from "@/lib/reviews/replies/contract";
import { fillTemplate, type TemplateValues } from "@/lib/reviews/replies/rules";

type Props = {
  clientId: string;
  /** the store's name */
  shop: string;
  /** the items to reply to; null closes the dialog */
  items: readonly QueueItem[] | null;
  onClose: () => void;
  /** called after each round, also if some replies failed */
  onSent: () => void;
};

type Failure = { item: QueueItem; message: string };

/** Replies to several reviews with one template, filled in for each. */
export function ReplyDialog({ clientId, shop, items, onClose, onSent }: Props) {
  const t = useTranslations();
  const { data: templates } = useQuery({ ...templatesOptions(clientId), enabled: items !== null });
  const [chosen, setChosen] = useState("");
  const [done, setDone] = useState(0);
  const [failures, setFailures] = useState<Failure[]>([]);
  const template = templates?.find(({ id }) => id === chosen) ?? templates?.[0];
  const textFor = (item: QueueItem): string => {
    const values: TemplateValues = { author: item.author, product: productOf(item, t), shop };
    return template ? fillTemplate(template.text, values) : "";
  };
  const { mutate, isPending } = useMutation({
    mutationFn: async (recipients: readonly QueueItem[]) => {
      const failed: Failure[] = [];
      setDone(0);
      setFailures([]);
      // One after the other: each is a public text of its own, and one that fails doesn't stop the others.
      for (const [index, item] of recipients.entries()) {
        const kind = item.kind === "question" ? "question" : item.kind === "seller_review" ? "seller_review" : "review";
        try {
          await call<typeof writeReplyContract>("POST /portal/api/v1/queue/{kind}/{id}/replies", {
            params: { kind, id: item.id },
            query: { client_id: clientId },
            body: { text: textFor(item) },
          });
        } catch (error) {
          failed.push({ item, message: messageOf(error, t) });
        }
        setDone(index + 1);
      }
      return failed;
    },
    onSuccess: (failed) => {
      setFailures(failed);
      onSent();
      if (failed.length === 0) onClose();
    },
  });
  const first = items?.[0];
  const close = () => {
    setFailures([]);
    onClose();
  };
  return (
    <Dialog
      open={items !== null}
      onOpenChange={(open) => !open && !isPending && close()}
      title={t("library.replyTitle", { n: items?.length ?? 0 })}
      description={t("library.replyHint")}
    >
      {templates?.length === 0 ? (
        <p className="text-sm">{t("library.noTemplates")}</p>
      ) : (
        <div className="flex flex-col gap-4">
          <Field id="reply-template" label={t("library.template")}>
            {(wiring) => (
              <Select
                {...wiring}
                value={template?.id ?? ""}
                disabled={isPending}
                onChange={({ target }) => setChosen(target.value)}
              >
                {templates?.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          {first && template && (
            <div>
              <h3 className="mb-1 text-sm font-medium">{t("library.replyPreview", { name: itemName(first, t) })}</h3>
              <p className="rounded-control bg-sunken px-3 py-2 text-sm whitespace-pre-wrap">{textFor(first)}</p>
            </div>
          )}
          {failures.length > 0 && (
            <Notice tone="bad">
              {t("library.repliesFailed", { n: failures.length })}
              <ul>
                {failures.map(({ item, message }) => (
                  <li key={item.id} className="first-letter:uppercase">
                    {itemName(item, t)}: {message}
                  </li>
                ))}
              </ul>
            </Notice>
          )}
          <div className="flex items-center justify-end gap-3">
            {isPending && (
              <span role="status" className="figures text-sm text-muted">
                {t("library.replying", { done, total: items?.length ?? 0 })}
              </span>
            )}
            <Button onClick={close} disabled={isPending}>
              {t("common.cancel")}
            </Button>
            <Button
              variant="primary"
              disabled={!template || isPending || !items}
              onClick={() => mutate(failures.length > 0 ? failures.map(({ item }) => item) : (items ?? []))}
            >
              {t("library.publishReplies", { n: failures.length > 0 ? failures.length : (items?.length ?? 0) })}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
