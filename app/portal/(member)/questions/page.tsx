import type { Search } from "@/app/_guard";
import { ModerationQueue } from "@/app/portal/(member)/_queue";
import { titleMetadata } from "@/lib/accounts/language/request-language";

export const generateMetadata = () => titleMetadata("common.questions");

export default async function QuestionsPage({ searchParams }: { searchParams: Promise<Search> }) {
  return <ModerationQueue path="/portal/questions" search={await searchParams} />;
}
