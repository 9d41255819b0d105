"use client";

import { useMutation } from "@tanstack/react-query";
import { Monitor, Smartphone } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "#messages";
import { browserLabel } from "@/components/accounts/browser-label";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import type { endSessionContract, endSessionsContract } from "@/lib/accounts/contract";
import type { Session } from "@/lib/accounts/schema";
import { call, messageOf } from "@/lib/platform/http/client";
import { formatMoment } from "@/lib/platform/i18n/format";

export function OwnSessions({ sessions, timeZone }: { sessions: Session[]; timeZone: string }) {
  const t = useTranslations();
  const router = useRouter();
  const toast = useToast();
  const end = useMutation({
    mutationFn: (id: string | null) =>
      id === null
        ? call<typeof endSessionsContract>("DELETE /portal/api/v1/account/sessions", {})
        : call<typeof endSessionContract>("DELETE /portal/api/v1/account/sessions/{id}", { params: { id } }),
    onSuccess: (_, id) => {
      toast.show({
        id: "session",
        text: id === null ? t("myAccount.signedOutOthers") : t("myAccount.signedOut"),
      });
      router.refresh();
    },
  });
  return (
    <div className="flex max-w-2xl flex-col gap-4">
      <ul className="divide-y divide-line rounded-card border border-line bg-raised shadow-raised">
        {sessions.map((session) => {
          const words = browserLabel(session.browser, t);
          const Icon = /iOS|Android/.test(words) ? Smartphone : Monitor;
          return (
            <li key={session.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-sm">
              <Icon aria-hidden="true" className="size-5 shrink-0 text-muted" />
              <div className="min-w-44 flex-1">
                <span className="flex flex-wrap items-center gap-2 font-medium">
                  {words}
                  {session.current && <Badge tone="good">{t("myAccount.thisBrowser")}</Badge>}
                </span>
                <span className="block text-muted" title={session.browser ?? undefined}>
                  {session.address ? `${session.address} · ` : ""}
                  {t("myAccount.signedInSince", { moment: formatMoment(session.created_at, timeZone, t.language) })}
                  {!session.current && " · "}
                  {!session.current &&
                    t.rich("myAccount.lastActive", {
                      age: <Ago at={session.last_seen_at} timeZone={timeZone} within />,
                    })}
                </span>
              </div>
              {!session.current && (
                <Button
                  size="small"
                  onClick={() => end.mutate(session.id)}
                  disabled={end.isPending}
                  aria-label={t("myAccount.signOutBrowser", { browser: words })}
                >
                  {t("navigation.signOut")}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {end.error && (
        <Notice tone="bad" alert>
          {messageOf(end.error, t)}
        </Notice>
      )}
      {sessions.length > 1 && (
        <div>
          <Button variant="bad" onClick={() => end.mutate(null)} disabled={end.isPending}>
            {t("myAccount.signOutOthers")}
          </Button>
        </div>
      )}
    </div>
  );
}
