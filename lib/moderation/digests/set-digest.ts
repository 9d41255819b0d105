import type { Actor } from "@/lib/accounts/actor";
import { getOwnAccount } from "@/lib/accounts/own-account";
import { requireRole } from "@/lib/accounts/permissions";
import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { localTime } from "@/lib/moderation/digests/local-time";
import { initialLastDay } from "@/lib/moderation/digests/rules";
import type { Digest } from "@/lib/moderation/digests/schema";
import { now } from "@/lib/platform/clock";
import type { Db } from "@/lib/platform/db/pool";
import { prisma, transaction } from "@/lib/platform/db/prisma";
import { AppError } from "@/lib/platform/errors";
import { upsertDigest } from "./sql";

/** Returns a person's digest settings for a client; null if turned off. */
export async function getDigest({ id }: Pick<Actor, "id">, client: Pick<ClientRow, "id">): Promise<Digest | null> {
  const { digest } = await prisma();
  const where = { userId_clientId: { userId: id, clientId: client.id } };
  return (await digest.findUnique({ where, select: { every: true, hour: true } })) as Digest | null;
}

/**
 * Sets the caller's digest for a client, daily or weekly at an hour of its day, or turns it off (null). The first email
 * is sent at the next occurrence of the hour. Throws `forbidden` for viewers and the demo login, and `invalid_field` if
 * the caller has no email address.
 */
export async function setDigest(
  actor: Actor,
  client: Pick<ClientRow, "id" | "config">,
  digest: Digest | null,
): Promise<void> {
  requireRole(actor, "moderator");
  if (digest) {
    const { demo, email } = await getOwnAccount(actor);
    if (demo) throw new AppError("forbidden", { reason: "demo_login_no_email" });
    if (email === null)
      throw new AppError("invalid_field", {
        issues: [{ field: "digest", reason: "own_email_missing" }],
      });
  }
  await transaction(async (db) => {
    if (!digest) await endDigest(db, actor.id, client.id);
    else {
      const done = initialLastDay(digest.hour, localTime(timeZoneOf(client), now()));
      await upsertDigest(db, actor.id, client.id, digest, done);
    }
  });
}

/** Deletes a person's digest for a client, if there is one. */
export async function endDigest(db: Db, userId: string, clientId: string): Promise<void> {
  await (await prisma(db)).digest.deleteMany({ where: { userId, clientId } });
}
