"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DecisionBar } from "@/components/reviews/decision-bar";
import { caseOptions } from "@/components/reviews/queries";
import { ReasonDialog } from "@/components/reviews/reason-dialog";
import { Reports } from "@/components/reviews/reports";
import { ReviewArticle } from "@/components/reviews/review-article";
import { ReviewContext } from "@/components/reviews/review-context";
import { useDecisions } from "@/components/reviews/use-decisions";
import { useKeys, useKeysSetting } from "@/components/reviews/use-keys";
import type { QueueItem } from "@/lib/queue/schema";

type Props = { clientId: string; id: string; timeZone: string; canDecide: boolean };

/** One review on a page of its own: the address that the API gives as `portal_url`. */
export function ReviewCase({ clientId, id, timeZone, canDecide }: Props) {
  // The server put it into the cache before the page was sent.
  const { data } = useQuery(caseOptions(clientId, id));
  const [rejecting, setRejecting] = useState<QueueItem | null>(null);
  const [keysOn] = useKeysSetting();
  const { decide, undo } = useDecisions(clientId, null);
  const item = data?.review;
  const act = (work: (item: QueueItem) => void) => () => {
    if (item && canDecide) work(item);
  };
  const accept = act((shown) => shown.accepted !== true && decide(shown, { accepted: true }));
  const reject = act((shown) => shown.accepted !== false && setRejecting(shown));
  const reopen = act((shown) => shown.accepted !== null && decide(shown, { accepted: null }));
  useKeys({ a: accept, r: reject, p: reopen, u: undo }, keysOn);
  if (!data || !item) return null;
  return (
    <>
      <ReviewArticle item={item} timeZone={timeZone} heading="h1" />
      {canDecide && (
        <div className="mt-7">
          <DecisionBar item={item} keys={keysOn} onAccept={accept} onReject={reject} onReopen={reopen} />
        </div>
      )}
      <hr className="my-7 border-line" />
      <Reports clientId={clientId} id={id} reports={data.context.reports} timeZone={timeZone} canDecide={canDecide} />
      <ReviewContext clientId={clientId} item={item} context={data.context} timeZone={timeZone} heading="h2" />
      <ReasonDialog
        item={rejecting}
        onClose={() => setRejecting(null)}
        onReject={(shown, reason) => {
          setRejecting(null);
          decide(shown, { accepted: false, reason });
        }}
      />
    </>
  );
}
