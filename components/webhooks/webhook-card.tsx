import { Webhook as Icon } from "lucide-react";
import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import { momentWords } from "@/components/ui/time";
import { eventsStory, stateWords, waitingWords } from "@/components/webhooks/words";
import type { Webhook } from "@/lib/webhooks/schema";

type Props = { webhook: Webhook; timeZone: string; href: string };

/** One webhook in the list: where it leads, how it goes, what waits. */
export function WebhookCard({ webhook, timeZone, href }: Props) {
  const state = stateWords[webhook.state];
  return (
    <li className="rounded-card border border-line bg-raised p-4 shadow-raised sm:p-5">
      <div className="flex items-start gap-4">
        <span className="flex size-10 shrink-0 items-center justify-center rounded-full bg-sunken text-muted">
          <Icon aria-hidden="true" className="size-5" />
        </span>
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <h3 className="min-w-0 font-semibold break-all">
              <Link href={href} className="hover:underline">
                {webhook.url}
              </Link>
            </h3>
            <Badge tone={state.tone}>{state.word}</Badge>
          </div>
          <p className="mt-1 text-sm text-muted">
            Hears {eventsStory(webhook.events)};{" "}
            {webhook.last_sent_at
              ? `last told ${momentWords(webhook.last_sent_at, timeZone)}`
              : "not told anything yet"}
            ; {waitingWords(webhook.waiting)}.
          </p>
        </div>
      </div>
      <WebhookTrouble webhook={webhook} timeZone={timeZone} />
    </li>
  );
}

/** What keeps a webhook from being told, and what happens next. */
export function WebhookTrouble({ webhook, timeZone }: { webhook: Webhook; timeZone: string }) {
  if (webhook.state !== "failing" && webhook.state !== "disabled") return null;
  const since = webhook.failing_since && momentWords(webhook.failing_since, timeZone);
  return (
    <div className="mt-3">
      <Notice tone="bad">
        <span className="break-words">
          {webhook.last_error}{" "}
          {webhook.state === "failing"
            ? `Nothing has got through since ${since}; it is tried again ${webhook.next_try_at ? momentWords(webhook.next_try_at, timeZone) : "soon"}.`
            : webhook.disabled_reason === "gone"
              ? "It is told nothing any more until somebody resumes it."
              : "After a day without success it was disabled. What happens is kept for thirty days; resume it, and all is told in order."}
        </span>
      </Notice>
    </div>
  );
}
