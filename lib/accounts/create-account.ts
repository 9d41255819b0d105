import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";

/** Creates an account: a customer of the operator, to whom clients and people belong. */
export async function createAccount(name: string): Promise<{ id: string; name: string }> {
  if (name.trim() === "") throw new AppError("invalid_field", "An account needs a name.", { field: "name" });
  const id = newId("acc");
  await pool().query("insert into accounts (id, name) values ($1, $2)", [id, name]);
  return { id, name };
}
