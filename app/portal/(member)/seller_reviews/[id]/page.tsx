import type { Metadata } from "next";
import type { Search } from "@/app/_guard";
import { PageOf } from "@/app/portal/(member)/_item";

export const metadata: Metadata = { title: "Seller review" };

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Search> };

export default async function SellerReviewPage({ params, searchParams }: Props) {
  return <PageOf kind="seller_review" given={(await params).id} search={await searchParams} />;
}
