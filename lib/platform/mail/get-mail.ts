import { prisma } from "@/lib/platform/db/prisma";
import { AppError } from "@/lib/platform/errors";
import { mailColumns, toMail } from "@/lib/platform/mail/columns";
import type { KeptMail } from "@/lib/platform/mail/schema";

/** One kept mail. Throws `not_found`. For operators only. */
export async function getMail(id: string): Promise<KeptMail> {
  const mail = await (await prisma()).mail.findUnique({ where: { id, status: "kept" }, select: mailColumns });
  if (!mail) throw new AppError("not_found", "There is no such mail.");
  return toMail(mail);
}
