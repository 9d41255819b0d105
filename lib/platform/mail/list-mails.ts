import { prisma } from "@/lib/platform/db/prisma";
import { mailColumns, toMail } from "@/lib/platform/mail/columns";
import type { KeptMail } from "@/lib/platform/mail/schema";
import { emailKey } from "@/lib/platform/secrets/person-hash";

/** Kept mails, oldest first; those to one address (any spelling) with `to`. For operators only. */
export async function listMails({ to }: { to?: string } = {}): Promise<KeptMail[]> {
  const rows = await (await prisma()).mail.findMany({
    where: { status: "kept", ...(to !== undefined && { toKey: emailKey(to) }) },
    select: mailColumns,
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return rows.map(toMail);
}
