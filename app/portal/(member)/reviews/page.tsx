import type { Search } from "@/app/_guard";
import { QueueOf } from "@/app/portal/(member)/_queue";
import { titled } from "@/lib/accounts/sign-in/language-of-request";

export const generateMetadata = () => titled("common.reviews");

export default async function ReviewsPage({ searchParams }: { searchParams: Promise<Search> }) {
  return <QueueOf here="/portal/reviews" search={await searchParams} />;
}
