import type { Search } from "@/app/_guard";
import { ModerationQueue } from "@/app/portal/(member)/_queue";
import { titleMetadata } from "@/lib/accounts/language/request-language";

export const generateMetadata = () => titleMetadata("common.reviews");

export default async function ReviewsPage({ searchParams }: { searchParams: Promise<Search> }) {
  return <ModerationQueue path="/portal/reviews" search={await searchParams} />;
}
