import { Stars, StarsHidden } from "@/components/ui/stars";
import type { QueueItem } from "@/lib/moderation/queue/schema";

type Props = { item: Pick<QueueItem, "score" | "stars_hidden">; large?: boolean };

/** An item's stars, or that they are hidden until it is decided. Nothing for kinds without a score. */
export function ItemStars({ item: { score, stars_hidden }, large = false }: Props) {
  if (score !== null) return <Stars score={score} large={large} />;
  return stars_hidden ? <StarsHidden large={large} /> : null;
}
