import type { Search } from "@/app/_guard";
import { QueueOf } from "@/app/portal/(member)/_queue";
import { titled } from "@/lib/accounts/sign-in/language-of-request";

export const generateMetadata = () => titled("common.questions");

export default async function QuestionsPage({ searchParams }: { searchParams: Promise<Search> }) {
  return <QueueOf here="/portal/questions" search={await searchParams} />;
}
