import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "@/lib/platform/db/generated/client";
import { env } from "@/lib/platform/env";
import { perProcess } from "@/lib/platform/process";

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
