import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "@/lib/db/generated/client";
import { perProcess } from "@/lib/db/process";
import { env } from "@/lib/env";

/** Prisma for the calm paths: accounts, settings, portal screens. Hot lists and writes are SQL through `pool()`. */
export function prisma(): PrismaClient {
  return perProcess(
    "prisma",
    () =>
      new PrismaClient({
        adapter: new PrismaPg({ connectionString: env().DATABASE_URL, max: 4, connectionTimeoutMillis: 5_000 }),
        omit: { user: { passwordHash: true, totpSecret: true }, apiKey: { secretHash: true } },
      }),
  );
}
