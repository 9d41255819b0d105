import { randomBytes } from "node:crypto";
import { requireClients } from "@/lib/accounts/require-clients";
import { hashPassword } from "@/lib/auth/password";
import { isDuplicate, transaction } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import type { Role } from "@/lib/http/contract";
import { newId } from "@/lib/ids";

const LEAST_PASSWORD = 10;

/**
 * Creates a person who signs in to the portal: for all clients of an account (later ones too), or for named clients
 * only. Operators need neither. Without a password one is made; it is answered this once.
 * Throws `invalid_field`, `not_found`, `conflict` for a user name that is taken.
 */
export async function createUser(input: {
  username: string;
  role: Role;
  password?: string;
  accountId?: string;
  clients?: string[];
  demo?: boolean;
}): Promise<{ username: string; password: string }> {
  const { username, role, accountId, clients = [], demo = false } = input;
  const refuse = (field: string, message: string) =>
    new AppError("invalid_field", message, { faults: [{ field, message }] });
  if (!/^[^\s:]{1,100}$/.test(username))
    throw refuse("username", "must have 1 to 100 characters, without blanks and colons");
  if (role !== "operator" && !accountId && clients.length === 0)
    throw refuse("role", `${role} needs an account or clients`);
  const password = input.password ?? randomBytes(12).toString("base64url");
  if ([...password].length < LEAST_PASSWORD)
    throw refuse("password", `must have at least ${LEAST_PASSWORD} characters`);
  const hash = await hashPassword(password);
  const id = newId("usr");
  try {
    await transaction(async (db) => {
      const accountOfClients = await requireClients(db, clients);
      await db.query(
        `insert into users (id, account_id, username, password_hash, role, all_clients, demo) values ($1, $2, $3, $4, $5, $6, $7)`,
        [
          id,
          accountId ?? accountOfClients,
          username,
          hash,
          role,
          clients.length === 0 && accountId !== undefined,
          demo,
        ],
      );
      await db.query("insert into user_clients (user_id, client_id) select $1, unnest($2::text[])", [id, clients]);
    });
  } catch (error) {
    if (isDuplicate(error))
      throw new AppError("conflict", `The user name ${username} is taken.`, { cause: error, field: "username" });
    if ((error as { code?: string }).code === "23503")
      throw new AppError("not_found", `There is no account ${accountId}.`, { cause: error });
    throw error;
  }
  return { username, password };
}
