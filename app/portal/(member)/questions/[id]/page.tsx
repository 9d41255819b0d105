import type { Search } from "@/app/_guard";
import { ItemPage } from "@/app/portal/(member)/_item";
import { titleMetadata } from "@/lib/accounts/language/request-language";

export const generateMetadata = () => titleMetadata("common.question");

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Search> };

export default async function QuestionPage({ params, searchParams }: Props) {
  return <ItemPage kind="question" idSegment={(await params).id} search={await searchParams} />;
}
