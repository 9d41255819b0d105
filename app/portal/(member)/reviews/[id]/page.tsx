import type { Search } from "@/app/_guard";
import { PageOf } from "@/app/portal/(member)/_item";
import { titled } from "@/lib/accounts/sign-in/language-of-request";

export const generateMetadata = () => titled("common.review");

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Search> };

export default async function ReviewPage({ params, searchParams }: Props) {
  return <PageOf kind="review" given={(await params).id} search={await searchParams} />;
}
