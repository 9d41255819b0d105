import { Webhook as Icon } from "lucide-react";
import { SystemCard } from "@/components/integrations/system-card";
import { Notice } from "@/components/ui/notice";
import { momentWords } from "@/components/ui/time";
import { eventsStory, stateWords, waitingWords } from "@/components/webhooks/words";
import type { Webhook } from "@/lib/webhooks/schema";

type Props = { webhook: Webhook; timeZone: string; href: string };

/** One webhook in the list: where it leads, how it goes, what waits. */
export function WebhookCard({ webhook, timeZone, href }: Props) {
  return (
    <SystemCard
      icon={<Icon aria-hidden="true" />}
      title={webhook.url}
      href={href}
      state={stateWords[webhook.state]}
      trouble={<WebhookTrouble webhook={webhook} timeZone={timeZone} />}
    >
      Hears {eventsStory(webhook.events)};{" "}
      {webhook.last_sent_at ? `last told ${momentWords(webhook.last_sent_at, timeZone)}` : "not told anything yet"};{" "}
      {waitingWords(webhook.waiting)}.
    </SystemCard>
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
