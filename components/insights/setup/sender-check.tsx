"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "#messages";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CopyText } from "@/components/ui/copy-text";
import { Notice } from "@/components/ui/notice";
import type { checkSenderContract } from "@/lib/insights/setup/contract";
import type { SenderCheck as Check, SenderRecord } from "@/lib/insights/setup/schema";
import { call, messageOf } from "@/lib/platform/http/client";
import { formatMoment } from "@/lib/platform/i18n/format";
import type { MessageKey } from "@/lib/platform/i18n/translator";

type Props = { clientId: string; check: Check | null; timeZone: string; variant: "primary" | "secondary" };

/** Checks the DNS records of the sender address, and shows what to add. */
export function SenderCheck({ clientId, check, timeZone, variant }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const run = useMutation({
    mutationFn: () =>
      call<typeof checkSenderContract>("POST /portal/api/v1/setup/sender", { query: { client_id: clientId } }),
    onSuccess: () => router.refresh(),
  });
  const shown = run.data?.data ?? check;
  return (
    <div className="flex flex-col items-start gap-3">
      <Button size="small" variant={variant} disabled={run.isPending} onClick={() => run.mutate()}>
        {run.isPending ? t("setup.checking") : t("setup.checkRecords")}
      </Button>
      {run.error && (
        <Notice tone="bad" alert>
          {messageOf(run.error, t)}
        </Notice>
      )}
      {shown && (
        <div role="status" className="flex w-full flex-col gap-2">
          {shown.ok && (
            <p className="text-sm font-medium text-good">
              {shown.records.some(({ state }) => state === "unknown") ? t("setup.senderOkPartly") : t("setup.senderOk")}
            </p>
          )}
          <ul className="flex flex-col gap-2">
            {shown.records.map((record) => (
              <li key={`${record.kind} ${record.name}`} className="rounded-control border border-line p-3 text-sm">
                <p className="flex flex-wrap items-center gap-2">
                  <span className="font-medium">{record.kind.toUpperCase()}</span>
                  <code className="min-w-0 font-mono text-xs break-all">{record.name}</code>
                  <Badge tone={states[record.state].tone}>{t(states[record.state].label)}</Badge>
                </p>
                {record.found && <p className="mt-1.5 font-mono text-xs break-all text-muted">{record.found}</p>}
                <RecordHint record={record} />
              </li>
            ))}
          </ul>
          <p className="text-sm text-muted">
            {t("setup.checkedAt", { moment: formatMoment(shown.checked_at, timeZone, t.language) })}
          </p>
        </div>
      )}
    </div>
  );
}

const states: Record<SenderRecord["state"], { label: MessageKey; tone: Tone }> = {
  ok: { label: "setup.recordOk", tone: "good" },
  missing: { label: "setup.recordMissing", tone: "bad" },
  incomplete: { label: "setup.recordIncomplete", tone: "warn" },
  several: { label: "setup.recordSeveral", tone: "warn" },
  unknown: { label: "setup.recordUnknown", tone: "plain" },
  unavailable: { label: "setup.recordUnavailable", tone: "warn" },
};

function RecordHint({ record }: { record: SenderRecord }) {
  const t = useTranslations();
  const hints: Record<SenderRecord["state"], MessageKey | null> = {
    ok: null,
    missing: record.suggested ? "setup.addRecord" : "setup.addServiceRecord",
    incomplete: record.suggested ? "setup.replaceRecord" : "setup.addService",
    several: "setup.keepOneRecord",
    unknown: record.kind === "spf" ? "setup.unknownSpf" : "setup.unknownDkim",
    unavailable: "setup.unavailableRecord",
  };
  const hint = hints[record.state];
  if (!hint) return null;
  return (
    <div className="mt-1.5 flex flex-col gap-2">
      <p className="text-muted">{t(hint)}</p>
      {record.suggested && <CopyText text={record.suggested} label={record.name} />}
    </div>
  );
}
