import { prisma } from "@/lib/platform/db/prisma";
import { AppError } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";

/** Creates an account: the operator's customer, to whom clients and people belong. */
export async function createAccount(name: string): Promise<{ id: string; name: string }> {
  if (name.trim() === "") throw new AppError("invalid_field", { reason: "account_name_missing", field: "name" });
  const id = newId("acc");
  await (await prisma()).account.create({ data: { id, name } });
  return { id, name };
}
