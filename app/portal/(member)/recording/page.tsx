import { notFound } from "next/navigation";
import { clientsOf, requireMember, type Search } from "@/app/_guard";
import { PageHead } from "@/components/portal/page-head";
import { FillStore } from "@/components/test-clock/fill-store";
import { RecordingLink } from "@/components/test-clock/recording-link";
import { RecordingTable } from "@/components/test-clock/recording-table";
import { hasRole } from "@/lib/accounts/actor";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { isTestStore } from "@/lib/accounts/stores/get-client";
import { recordingLink, showRecording } from "@/lib/test-clock/show-recording";

export const generateMetadata = () => titleMetadata("testClock.recording");

export default async function RecordingPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const { actor, client } = await requireMember({ path: "/portal/recording", search: await searchParams });
  if (!isTestStore(client)) notFound();
  const isAdmin = hasRole(actor.role, "admin");
  const stores = isAdmin ? (await clientsOf(actor)).filter(({ test }) => !test) : [];
  return (
    <div className="mx-auto flex max-w-4xl flex-col gap-6 px-4 py-6 lg:px-8">
      <PageHead title={t("testClock.recording")}>{t("testClock.intro")}</PageHead>
      {stores.length > 0 && <FillStore clientId={client.id} stores={stores} />}
      <RecordingTable recording={await showRecording(client)} />
      {isAdmin && <RecordingLink clientId={client.id} url={recordingLink(client)} />}
    </div>
  );
}
