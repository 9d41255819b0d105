import type { Db } from "@/lib/platform/db/pool";
import { prisma } from "@/lib/platform/db/prisma";
import { AppError } from "@/lib/platform/errors";

/**
 * The account of the first of these clients, or null if the list is empty. Throws `not_found` with the ids that don't
 * exist.
 */
export async function requireClients(db: Db, clients: string[]): Promise<string | null> {
  const rows = await (await prisma(db)).client.findMany({
    where: { id: { in: clients } },
    select: { id: true, accountId: true },
    orderBy: { id: "asc" },
  });
  const unknown = clients.filter((client) => !rows.some((row) => row.id === client));
  if (unknown.length > 0)
    throw new AppError("not_found", { reason: "client_not_found", params: { id: unknown.join(", ") } });
  return rows[0]?.accountId ?? null;
}
