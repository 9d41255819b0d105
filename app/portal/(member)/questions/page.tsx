import type { Metadata } from "next";
import type { Search } from "@/app/_guard";
import { QueueOf } from "@/app/portal/(member)/_queue";

export const metadata: Metadata = { title: "Questions" };

export default async function QuestionsPage({ searchParams }: { searchParams: Promise<Search> }) {
  return <QueueOf here="/portal/questions" search={await searchParams} />;
}
