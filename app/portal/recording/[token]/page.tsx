import type { Metadata } from "next";
import { decodeSegment, orNotFound } from "@/app/_guard";
import { PageHead } from "@/components/portal/page-head";
import { RecordingTable } from "@/components/test-clock/recording-table";
import { Badge } from "@/components/ui/badge";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { formatDay } from "@/lib/platform/i18n/format";
import { openRecording } from "@/lib/test-clock/show-recording";

export const generateMetadata = async (): Promise<Metadata> => ({
  ...(await titleMetadata("testClock.recording")),
  robots: { index: false, follow: false },
  referrer: "no-referrer",
});

/** A test store's recording for anyone with its link. */
export default async function SharedRecordingPage({ params }: { params: Promise<{ token: string }> }) {
  const t = await translations();
  const recording = await orNotFound(openRecording(decodeSegment((await params).token)));
  return (
    <main className="mx-auto max-w-4xl px-4 py-8 lg:px-8">
      <p className="mb-3">
        <Badge tone="warn">{t("testClock.mark")}</Badge>
      </p>
      <PageHead title={t("testClock.recordingOf", { name: recording.name })}>
        {t("testClock.today", { day: formatDay(recording.clock.today, t.language) })} {t("testClock.intro")}
      </PageHead>
      <RecordingTable recording={recording} />
    </main>
  );
}
