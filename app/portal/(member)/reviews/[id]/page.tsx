import type { Search } from "@/app/_guard";
import { ItemPage } from "@/app/portal/(member)/_item";
import { titleMetadata } from "@/lib/accounts/language/request-language";

export const generateMetadata = () => titleMetadata("common.review");

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Search> };

export default async function ReviewPage({ params, searchParams }: Props) {
  return <ItemPage kind="review" idSegment={(await params).id} search={await searchParams} />;
}
