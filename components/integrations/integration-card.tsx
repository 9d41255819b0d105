import { Plug } from "lucide-react";
import Link from "next/link";
import { hostOf, stateWords } from "@/components/integrations/words";
import { Badge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import { momentWords } from "@/components/ui/time";
import type { Integration } from "@/lib/integrations/schema";

/** `href`: its own page, for those who may see it. */
type Props = { integration: Integration; name: string; timeZone: string; href: string | null };

/** One connected system in the list: what it is, and how it goes. */
export function IntegrationCard({ integration, name, timeZone, href }: Props) {
  const state = stateWords[integration.state];
  const host = hostOf(integration.settings);
  return (
    <li className="rounded-card border border-line bg-raised p-4 shadow-raised sm:p-5">
      <div className="flex items-start gap-4">
        <span className="flex size-10 shrink-0 items-center justify-center rounded-full bg-sunken text-muted">
          <Plug aria-hidden="true" className="size-5" />
        </span>
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <h3 className="font-semibold">
              {href === null ? (
                name
              ) : (
                <Link href={href} className="hover:underline">
                  {name}
                </Link>
              )}
            </h3>
            <Badge tone={state.tone}>{state.word}</Badge>
          </div>
          <p className="mt-1 text-sm break-words text-muted">
            {host && `${host}; `}
            {integration.last_run_at
              ? `last at work ${momentWords(integration.last_run_at, timeZone)}`
              : "not at work yet"}
            .
          </p>
        </div>
      </div>
      <IntegrationTrouble integration={integration} />
    </li>
  );
}

/** What keeps it from working, and what should be looked at. */
export function IntegrationTrouble({ integration: { error, warning } }: { integration: Integration }) {
  if (!error && !warning) return null;
  return (
    <div className="mt-3 flex flex-col gap-2">
      {error && (
        <Notice tone="bad">
          <span className="break-words">{error}</span>
        </Notice>
      )}
      {warning && (
        <Notice tone="warn">
          <span className="break-words">{warning}</span>
        </Notice>
      )}
    </div>
  );
}
