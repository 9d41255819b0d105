import type { Metadata } from "next";
import type { Search } from "@/app/_guard";
import { QueueOf } from "@/app/portal/(member)/_queue";

export const metadata: Metadata = { title: "Seller reviews" };

export default async function SellerReviewsPage({ searchParams }: { searchParams: Promise<Search> }) {
  return <QueueOf here="/portal/seller_reviews" search={await searchParams} />;
}
