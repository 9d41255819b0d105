import { Mismatch } from "@/lib/honesty/verifier/mismatch";
import { download } from "@/lib/honesty/verifier/source";

type Page = { data: { your_score_dist: number[] }[]; links: { next?: string } };

/**
 * Compares the log's published reviews by stars with those that the store's API counts (`GET /v1/summaries`). Reviews
 * whose stars are unknown count in neither.
 */
export async function compareSummaries(address: string, published: number[]): Promise<void> {
  const counted = [0, 0, 0, 0, 0];
  const first = new URL(address);
  for (let next: URL | undefined = first; next; ) {
    const body = await download(next.href);
    if (!body) throw new Error(`${next.origin}${next.pathname}: not found`);
    const page: Page = JSON.parse(body.toString("utf8"));
    for (const { your_score_dist } of page.data) for (const at of counted.keys()) counted[at]! += your_score_dist[at]!;
    const following: URL | undefined = page.links.next ? new URL(page.links.next, next) : undefined;
    // The key isn't in the link to the next page, and isn't sent to another server.
    const token = first.searchParams.get("token");
    if (token && following?.origin === first.origin) following.searchParams.set("token", token);
    next = following;
  }
  const at = counted.findIndex((count, stars) => count !== published[stars]);
  if (at >= 0)
    throw new Mismatch(
      `${first.origin}${first.pathname} counts ${counted[at]} published reviews with ${at + 1} stars, the log ${published[at]}. If something was decided a moment ago, run this again.`,
    );
}
