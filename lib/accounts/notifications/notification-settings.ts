import type { Actor } from "@/lib/accounts/actor";
import type { NotificationSetting } from "@/lib/accounts/notifications/schema";
import { isAlwaysEmailed, notificationKinds } from "@/lib/accounts/notifications/values";
import { getOwnAccount } from "@/lib/accounts/own-account";
import { now } from "@/lib/platform/clock";
import { prisma, transaction } from "@/lib/platform/db/prisma";
import { AppError, throwIssues } from "@/lib/platform/errors";
import { updateEmailedRead } from "./sql";

/** Which notifications the caller gets, of every kind. */
export async function listNotificationSettings({ id }: Pick<Actor, "id">): Promise<NotificationSetting[]> {
  const stored = await (await prisma()).notificationSetting.findMany({ where: { userId: id } });
  const byKind = new Map(stored.map((setting) => [setting.kind, setting]));
  return notificationKinds.map((kind) => {
    const { portal = true, email = false } = byKind.get(kind) ?? {};
    return { kind, portal, email: isAlwaysEmailed(kind) || email };
  });
}

/**
 * Sets how the caller gets the given kinds. Throws `forbidden` for the demo login, and `invalid_field` if they have no
 * email address for emails, or for turning off emails that are always sent.
 */
export async function setNotificationSettings(actor: Actor, settings: readonly NotificationSetting[]): Promise<void> {
  const { demo, email: address } = await getOwnAccount(actor);
  if (demo) throw new AppError("forbidden", { reason: "demo_login_fixed" });
  throwIssues(
    settings.flatMap(({ kind, email }, index) => {
      const reason = isAlwaysEmailed(kind)
        ? !email && "email_always_sent"
        : email && address === null && "own_email_missing";
      return reason ? [{ field: `settings[${index}].email`, reason } as const] : [];
    }),
  );
  await transaction(async (db) => {
    const { notificationSetting } = await prisma(db);
    // In one order, so that two calls at once don't wait for each other; of a kind given twice, the last counts.
    const inOrder = new Map(settings.map((setting) => [setting.kind, setting]));
    for (const kind of [...inOrder.keys()].sort()) {
      const { portal, email } = inOrder.get(kind) as NotificationSetting;
      const values = { portal, email: email && !isAlwaysEmailed(kind) };
      await notificationSetting.upsert({
        where: { userId_kind: { userId: actor.id, kind } },
        create: { userId: actor.id, kind, ...values },
        update: values,
      });
      // Unread and invisible, they would count repeats forever.
      if (!portal) await updateEmailedRead(db, actor.id, kind, now());
    }
  });
}
