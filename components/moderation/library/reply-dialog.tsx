"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { type RefObject, useRef, useState } from "react";
import { useTranslations } from "#messages";
import { itemName, productOf } from "@/components/moderation/labels";
import { replyTemplatesOptions } from "@/components/moderation/queries";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import type { getItemDetailContract } from "@/lib/moderation/queue/contract";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import { call, isSignedOut, isUnavailable, messageOf } from "@/lib/platform/http/client";
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
  returnFocus: RefObject<HTMLElement | null>;
};

type Failure = { item: QueueItem; message: string };
/** What is left after a round: replies that failed, and those that weren't tried. */
type Left = { failed: Failure[]; untried: QueueItem[] };

/** Replies to several reviews with one template, filled in for each. */
export function ReplyDialog({ clientId, shop, items, onClose, onSent, returnFocus }: Props) {
  const t = useTranslations();
  const templates = useQuery({ ...replyTemplatesOptions(clientId), enabled: items !== null });
  const [chosen, setChosen] = useState("");
  const [done, setDone] = useState(0);
  const [left, setLeft] = useState<Left | null>(null);
  const stopped = useRef(false);
  const template = templates.data?.find(({ id }) => id === chosen) ?? templates.data?.[0];
  const recipients = left ? [...left.failed.map(({ item }) => item), ...left.untried] : (items ?? []);
  const textFor = (item: QueueItem): string => {
    const values: TemplateValues = { author: item.author, product: productOf(item, t), shop };
    return template ? fillTemplate(template.text, values) : "";
  };
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async (all: readonly QueueItem[]): Promise<Left> => {
      const failed: Failure[] = [];
      stopped.current = false;
      setDone(0);
      setLeft(null);
      // One after the other: each is a public text of its own, and one that fails doesn't stop the others.
      for (const [index, item] of all.entries()) {
        if (stopped.current) return { failed, untried: all.slice(index) };
        const params = { kind: item.kind === "seller_review" ? "seller_review" : "review", id: item.id } as const;
        const query = { client_id: clientId };
        try {
          // A colleague, or a former try whose response was lost, may have replied.
          const { data } = await call<typeof getItemDetailContract>("GET /portal/api/v1/queue/{kind}/{id}", {
            params,
            query,
          });
          if (data.context.replies.length === 0)
            await call<typeof writeReplyContract>("POST /portal/api/v1/queue/{kind}/{id}/replies", {
              params,
              query,
              body: { text: textFor(item) },
            });
        } catch (error) {
          failed.push({ item, message: isSignedOut(error) ? t("common.errorSignedOut") : messageOf(error, t) });
          if (isSignedOut(error) || isUnavailable(error)) return { failed, untried: all.slice(index + 1) };
        }
        setDone(index + 1);
      }
      return { failed, untried: [] };
    },
    onSuccess: (result) => {
      onSent();
      if (result.failed.length + result.untried.length > 0) setLeft(result);
      else onClose();
    },
  });
  const first = items?.[0];
  const count = (isPending && variables ? variables : recipients).length;
  const close = () => {
    setLeft(null);
    onClose();
  };
  return (
    <Dialog
      open={items !== null}
      returnFocus={returnFocus}
      onOpenChange={(open) => !open && !isPending && close()}
      title={t("library.replyTitle", { n: items?.length ?? 0 })}
      description={t("library.replyHint")}
    >
      {templates.isPending ? (
        <p className="text-sm text-muted">{t("common.loading")}</p>
      ) : templates.isError ? (
        <Notice tone="bad">{messageOf(templates.error, t)}</Notice>
      ) : templates.data.length === 0 ? (
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
                {templates.data.map(({ id, name }) => (
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
          {left && (
            <Notice tone="bad">
              {left.failed.length > 0 && t("library.repliesFailed", { n: left.failed.length })}
              <ul>
                {left.failed.map(({ item, message }) => (
                  <li key={item.id} className="first-letter:uppercase">
                    {itemName(item, t)}: {message}
                  </li>
                ))}
              </ul>
              {left.untried.length > 0 && t("library.notSent", { n: left.untried.length })}
            </Notice>
          )}
          <div className="flex items-center justify-end gap-3">
            {isPending && (
              <span role="status" className="figures text-sm text-muted">
                {t("library.replying", { done, total: count })}
              </span>
            )}
            {isPending ? (
              <Button
                onClick={() => {
                  stopped.current = true;
                }}
              >
                {t("library.stop")}
              </Button>
            ) : (
              <Button onClick={close}>{t("common.cancel")}</Button>
            )}
            <Button
              variant="primary"
              disabled={!template || isPending || recipients.length === 0}
              onClick={() => mutate(recipients)}
            >
              {t("library.publishReplies", { n: count })}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
