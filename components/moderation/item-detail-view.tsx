"use client";

import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, useState } from "react";
import { sentOptions } from "@/components/integrations/queries";
import type { SentPanel as Panel } from "@/components/integrations/sent-panel";
import { AssignmentMenu } from "@/components/moderation/assignment-menu";
import { DecisionBar } from "@/components/moderation/decision-bar";
import { ItemArticle } from "@/components/moderation/item-article";
import { ItemContext } from "@/components/moderation/item-context";
import { NotesSlot, openNoteBox } from "@/components/moderation/notes-slot";
import { itemOptions } from "@/components/moderation/queries";
import { focusReplyBox, Replies } from "@/components/moderation/replies";
import { useAssignment } from "@/components/moderation/use-assignment";
import { useDecisions } from "@/components/moderation/use-decisions";
import { useOpenPage } from "@/components/moderation/use-open-page";
import { useShortcuts, useShortcutsSetting } from "@/components/moderation/use-shortcuts";
import { lazyDialog, lazyPart } from "@/components/ui/lazy-dialog";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import type { DecidedKind, RejectReason } from "@/lib/reviews/decisions/schema";

const SentPanel = lazyPart(async () => (await import("@/components/integrations/sent-panel")).SentPanel);
const Reports = lazyPart(async () => (await import("@/components/moderation/reports")).Reports);
const ReasonDialog = lazyDialog(
  async () => (await import("@/components/moderation/reason-dialog")).ReasonDialog,
  ({ items, onClose }) => ({ open: items !== null, close: onClose }),
);

type Props = {
  clientId: string;
  shop: string;
  kind: DecidedKind;
  id: string;
  timeZone: string;
  canDecide: boolean;
  mayRetry: boolean;
  /** the reasons that the store rejects for most */
  frequentReasons: RejectReason[];
  /** whether the operator set up a translation service */
  hasTranslationService: boolean;
};

/** One item on its own page: the API's `portal_url`. */
export function ItemDetailView({
  clientId,
  shop,
  kind,
  id,
  timeZone,
  canDecide,
  mayRetry,
  frequentReasons,
  hasTranslationService,
}: Props) {
  // The server filled the cache before it sent the page.
  const { data } = useQuery(itemOptions(clientId, kind, id));
  const [rejecting, setRejecting] = useState<QueueItem | null>(null);
  const [keysOn] = useShortcutsSetting();
  const { decide, undo } = useDecisions(clientId, null);
  const { assign, toggle } = useAssignment(clientId);
  const item = data?.item;
  const act = (work: (item: QueueItem) => void) => () => {
    if (item && canDecide) work(item);
  };
  const accept = act((shown) => shown.accepted !== true && decide([shown], { accepted: true }));
  const reject = act((shown) => shown.accepted !== false && setRejecting(shown));
  const reopen = act((shown) => shown.accepted !== null && decide([shown], { accepted: null }));
  const showPhoto = () => document.querySelector<HTMLElement>("main [data-photo]")?.click();
  const openPage = useOpenPage(clientId);
  const itemCommands = { reply: act(focusReplyBox), assign: act(toggle), writeNote: act(openNoteBox) };
  useShortcuts({ accept, reject, reopen, undo, ...itemCommands, showPhoto, openPage }, keysOn);
  if (!data || !item) return null;
  return (
    <>
      <ItemArticle
        clientId={clientId}
        canDecide={canDecide}
        item={item}
        timeZone={timeZone}
        assignment={
          canDecide &&
          item.accepted === null && <AssignmentMenu clientId={clientId} item={item} keysOn={keysOn} onAssign={assign} />
        }
        hasTranslationService={hasTranslationService}
        heading="h1"
      />
      {canDecide && (
        <div className="mt-7">
          <DecisionBar item={item} keys={keysOn} onAccept={accept} onReject={reject} onReopen={reopen} />
        </div>
      )}
      <hr className="my-7 border-line" />
      {data.context.reports.length > 0 && (
        <Reports clientId={clientId} id={id} reports={data.context.reports} timeZone={timeZone} canDecide={canDecide} />
      )}
      <Replies
        clientId={clientId}
        shop={shop}
        item={item}
        replies={data.context.replies}
        timeZone={timeZone}
        canDecide={canDecide}
        heading="h2"
      />
      {canDecide && (
        <NotesSlot
          clientId={clientId}
          item={item}
          notes={data.context.notes}
          timeZone={timeZone}
          keysOn={keysOn}
          heading="h2"
        />
      )}
      <ItemContext clientId={clientId} item={item} context={data.context} timeZone={timeZone} heading="h2" />
      {canDecide && kind !== "answer" && kind !== "photo" && (
        <Sent clientId={clientId} kind={kind} id={id} timeZone={timeZone} mayRetry={mayRetry} />
      )}
      <ReasonDialog
        clientId={clientId}
        items={rejecting && [rejecting]}
        frequent={frequentReasons}
        onClose={() => setRejecting(null)}
        onReject={(shown, reason) => {
          setRejecting(null);
          decide(shown, { accepted: false, reason });
        }}
      />
    </>
  );
}

/** An item's deliveries to other systems, if any. */
function Sent(props: ComponentProps<typeof Panel>) {
  const { data, isPending } = useQuery(sentOptions(props.clientId, props.kind, props.id));
  const hasNoReceivers = data && !data.engagement && data.webhooks.length === 0;
  return isPending || hasNoReceivers ? null : <SentPanel {...props} />;
}
