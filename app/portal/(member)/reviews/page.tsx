import type { Metadata } from "next";
import type { Search } from "@/app/_guard";
import { QueueOf } from "@/app/portal/(member)/_queue";

export const metadata: Metadata = { title: "Reviews" };

export default async function ReviewsPage({ searchParams }: { searchParams: Promise<Search> }) {
  return <QueueOf here="/portal/reviews" search={await searchParams} />;
}
