import type { Search } from "@/app/_guard";
import { ModerationQueue } from "@/app/portal/(member)/_queue";
import { titleMetadata } from "@/lib/accounts/language/request-language";

export const generateMetadata = () => titleMetadata("common.queue");

export default async function QueuePage({ searchParams }: { searchParams: Promise<Search> }) {
  return <ModerationQueue path="/portal/queue" search={await searchParams} />;
}
