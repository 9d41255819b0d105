import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import Link from "next/link";
import { address, found, requireMember, type Search, segment } from "@/app/_guard";
import { keys } from "@/components/reviews/queries";
import { ReviewCase } from "@/components/reviews/review-case";
import { hasRole } from "@/lib/auth/actor";
import { timeZoneOf } from "@/lib/clients/get-client";
import { getCase } from "@/lib/queue/get-case";

export const metadata: Metadata = { title: "Review" };

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Search> };

export default async function ReviewPage({ params, searchParams }: Props) {
  const [{ id: given }, search] = await Promise.all([params, searchParams]);
  const { actor, client, clientId } = await requireMember({ here: `/portal/reviews/${given}`, search });
  const id = segment(given);
  const shown = await found(getCase(actor, client, id));
  const cache = new QueryClient();
  cache.setQueryData(keys.case(client.id, id), shown);
  return (
    <div className="mx-auto max-w-3xl px-4 py-6 lg:px-8">
      <p className="mb-6 text-sm">
        <Link className="link" href={address("/portal/reviews", { client_id: clientId })}>
          All reviews
        </Link>
      </p>
      <HydrationBoundary state={dehydrate(cache)}>
        <ReviewCase
          clientId={client.id}
          id={id}
          timeZone={timeZoneOf(client)}
          canDecide={hasRole(actor.role, "moderator")}
        />
      </HydrationBoundary>
    </div>
  );
}
