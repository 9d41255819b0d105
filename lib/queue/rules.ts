import { QueueFilter } from "@/lib/queue/schema";

/** Pending reviews are answered in the order they came; what is decided is looked up, newest first. */
export const isOldestFirst = (filter: Pick<QueueFilter, "status">): boolean => filter.status === "pending";

/** Whether a review with this decision still belongs to the list of this filter's status. */
export function belongs(filter: Pick<QueueFilter, "status">, accepted: boolean | null): boolean {
  if (filter.status === "all") return true;
  return accepted === (filter.status === "pending" ? null : filter.status === "accepted");
}

/** The filter that an address stands for. What it says wrongly is left out, so that an old link still opens. */
export function readFilter(query: (name: string) => string | null | undefined): QueueFilter {
  const given = Object.fromEntries(
    Object.entries(QueueFilter.shape).flatMap(([name, field]) => {
      const value = query(name) || undefined;
      return value !== undefined && field.safeParse(value).success ? [[name, value]] : [];
    }),
  );
  return QueueFilter.parse(given);
}
