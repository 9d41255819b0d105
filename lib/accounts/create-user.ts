import { randomBytes } from "node:crypto";
import { requireClients } from "@/lib/accounts/require-clients";
import { requireRolesAtClients } from "@/lib/accounts/roles";
import { isUserName, userNameRule } from "@/lib/accounts/schema";
import { hashPassword } from "@/lib/accounts/sign-in/password";
import { PASSWORD } from "@/lib/accounts/values";
import { type Db, databaseCode, isDuplicate } from "@/lib/platform/db/pool";
import { prisma, transaction } from "@/lib/platform/db/prisma";
import { AppError } from "@/lib/platform/errors";
import type { AssignableRole, Role } from "@/lib/platform/http/contract";
import { newId } from "@/lib/platform/ids";
import { emailKey } from "@/lib/platform/secrets/person-hash";

/**
 * Creates a portal login, for all clients of an account (including future ones) or for the given clients only.
 * Operators need neither. Without `password`, generates one and returns it only here. Throws `invalid_field`,
 * `not_found`, `conflict` if the user name exists.
 */
export async function createUser(input: {
  username: string;
  role: Role;
  password?: string;
  accountId?: string;
  clients?: string[];
  /** roles at clients where they differ from `role` */
  roles?: Record<string, AssignableRole>;
  demo?: boolean;
}): Promise<{ username: string; password: string }> {
  const { username, role, accountId, clients = [], roles = {}, demo = false } = input;
  if (!isUserName(username)) throw new AppError("invalid_field", { ...userNameRule, field: "username" });
  if (role !== "operator" && !accountId && clients.length === 0)
    throw new AppError("invalid_field", { reason: "role_needs_reach", params: { role }, field: "role" });
  const password = input.password ?? randomBytes(12).toString("base64url");
  if ([...password].length < PASSWORD.min)
    throw new AppError("invalid_field", {
      reason: "password_too_short",
      params: { min: PASSWORD.min },
      field: "password",
    });
  const hash = await hashPassword(password);
  await transaction((db) => createUserWithin(db, { username, role, accountId, clients, roles, demo }, hash));
  return { username, password };
}

type NewUser = {
  username: string;
  role: Role;
  accountId?: string;
  clients?: string[];
  roles?: Record<string, AssignableRole>;
  demo?: boolean;
  email?: string;
  name?: string | null;
};

/** Inserts a person in the caller's transaction and returns the id. Throws `not_found`, `conflict`. */
export async function createUserWithin(db: Db, user: NewUser, passwordHash: string): Promise<string> {
  const { username, role, accountId, clients = [], roles = {}, demo = false, email = null, name = null } = user;
  requireRolesAtClients(roles, role === "operator" ? [] : clients);
  const id = newId("usr");
  try {
    const accountOfClients = await requireClients(db, clients);
    const named = clients.map((clientId) => {
      const own = roles[clientId];
      return { clientId, role: own === undefined || own === role ? null : own };
    });
    await (await prisma(db)).user.create({
      data: {
        id,
        accountId: accountId ?? accountOfClients,
        username,
        passwordHash,
        role,
        allClients: clients.length === 0 && accountId !== undefined,
        demo,
        email,
        emailKey: email && emailKey(email),
        name,
        clients: { createMany: { data: named } },
      },
      select: { id: true },
    });
  } catch (error) {
    if (isDuplicate(error))
      throw new AppError("conflict", {
        reason: "username_taken",
        params: { name: username },
        cause: error,
        field: "username",
      });
    if (databaseCode(error) === "23503")
      throw new AppError("not_found", { reason: "account_not_found", params: { id: accountId ?? "" }, cause: error });
    throw error;
  }
  return id;
}
