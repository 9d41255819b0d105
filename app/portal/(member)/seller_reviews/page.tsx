import type { Search } from "@/app/_guard";
import { ModerationQueue } from "@/app/portal/(member)/_queue";
import { titleMetadata } from "@/lib/accounts/language/request-language";

export const generateMetadata = () => titleMetadata("common.sellerReviews");

export default async function SellerReviewsPage({ searchParams }: { searchParams: Promise<Search> }) {
  return <ModerationQueue path="/portal/seller_reviews" search={await searchParams} />;
}
