"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { call, messageOf } from "@/lib/platform/http/client";
import { formatDay } from "@/lib/platform/i18n/format";
import type { MessageKey } from "@/lib/platform/i18n/translator";
import type { advanceTestClockContract, getTestClockContract } from "@/lib/test-clock/contract";

const steps: { advance: string; label: MessageKey }[] = [
  { advance: "1d", label: "testClock.oneDay" },
  { advance: "next", label: "testClock.nextEvent" },
  { advance: "60d", label: "testClock.sixtyDays" },
];

type Props = { clientId: string; mayAdvance: boolean; recordingHref: string };

/** The clock of a test store, above every page about it. */
export function TestClockBar({ clientId, mayAdvance, recordingHref }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const queries = useQueryClient();
  const query = { client_id: clientId };
  const clock = useQuery({
    queryKey: ["test-clock", clientId],
    queryFn: () => call<typeof getTestClockContract>("GET /v1/test/clock", { query }),
  });
  const step = useMutation({
    mutationFn: (advance: string) =>
      call<typeof advanceTestClockContract>("POST /v1/test/clock", { query, body: { advance } }),
    // What the page shows has become older.
    onSettled: async () => {
      await queries.invalidateQueries();
      router.refresh();
    },
  });
  const shown = clock.data?.data;
  const done = step.data?.data;
  return (
    <section
      aria-label={t("testClock.clock")}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-warn/30 bg-warn-soft px-4 py-2 text-sm lg:px-8 print:hidden"
    >
      <p className="font-semibold text-warn">{t("testClock.mark")}</p>
      {shown && (
        <p className="figures">
          <strong className="font-semibold">{formatDay(shown.today, t.language)}</strong>
          {shown.days > 0 && <span className="ml-2 text-muted">{t("testClock.ahead", { n: shown.days })}</span>}
        </p>
      )}
      {mayAdvance && (
        <div className="flex flex-wrap gap-2">
          {steps.map(({ advance, label }) => (
            <Button key={advance} size="small" disabled={step.isPending} onClick={() => step.mutate(advance)}>
              {t(label)}
            </Button>
          ))}
        </div>
      )}
      <Link href={recordingHref} className="link">
        {t("testClock.recording")}
      </Link>
      <p role="status" className="figures text-muted">
        {step.isPending
          ? t("testClock.advancing")
          : done &&
            (done.advanced_days === 0
              ? t("testClock.nothingDue")
              : `${t("testClock.advanced", { n: done.advanced_days })} · ${t("testClock.result", {
                  invitations: done.invitations,
                  reminders: done.reminders,
                  emails: done.emails,
                })}`)}
      </p>
      {step.error && (
        <p role="alert" className="text-bad">
          {messageOf(step.error, t)}
        </p>
      )}
    </section>
  );
}
