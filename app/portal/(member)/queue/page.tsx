import type { Metadata } from "next";
import type { Search } from "@/app/_guard";
import { QueueOf } from "@/app/portal/(member)/_queue";

export const metadata: Metadata = { title: "Queue" };

export default async function QueuePage({ searchParams }: { searchParams: Promise<Search> }) {
  return <QueueOf here="/portal/queue" search={await searchParams} />;
}
