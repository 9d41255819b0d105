import type { Search } from "@/app/_guard";
import { QueueOf } from "@/app/portal/(member)/_queue";
import { titled } from "@/lib/accounts/sign-in/language-of-request";

export const generateMetadata = () => titled("common.sellerReviews");

export default async function SellerReviewsPage({ searchParams }: { searchParams: Promise<Search> }) {
  return <QueueOf here="/portal/seller_reviews" search={await searchParams} />;
}
