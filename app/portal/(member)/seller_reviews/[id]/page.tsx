import type { Search } from "@/app/_guard";
import { ItemPage } from "@/app/portal/(member)/_item";
import { titleMetadata } from "@/lib/accounts/language/request-language";

export const generateMetadata = () => titleMetadata("common.sellerReview");

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Search> };

export default async function SellerReviewPage({ params, searchParams }: Props) {
  return <ItemPage kind="seller_review" idSegment={(await params).id} search={await searchParams} />;
}
