import { createHash } from "node:crypto";
import { serviceSender } from "@/lib/accounts/service-sender";
import { now } from "@/lib/platform/clock";
import type { Db } from "@/lib/platform/db/pool";
import { prisma } from "@/lib/platform/db/prisma";
import { env } from "@/lib/platform/env";
import { languageOf } from "@/lib/platform/i18n/languages";
import { emailText } from "@/lib/platform/i18n/public-texts";
import { newToken } from "@/lib/platform/ids";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { queueMail } from "@/lib/platform/mail/queue-mail";
import { renderMessage } from "@/lib/platform/mail/render-message";
import { senderOf } from "@/lib/platform/mail/sender";

const HOUR_MS = 3_600_000;
/** How long a link works after it was emailed. */
const LIFETIMES_MS = { invitation: 7 * 24 * HOUR_MS, reset: HOUR_MS } as const;

const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("base64url");

export type LinkedPerson = { id: string; username: string; email: string; locale: string | null };

/**
 * Emails a person a link to set their password, in the caller's transaction; earlier links become invalid. `by` and
 * `shop` are named in an invitation; `locale` is for people without a language setting.
 */
export async function mailPasswordLink(
  db: Db,
  person: LinkedPerson,
  about: { kind: "invitation"; by: string; shop: string; locale: string } | { kind: "reset" },
): Promise<void> {
  const secret = newToken();
  const at = now();
  const hash = hashOf(secret);
  await endPasswordLinks(db, person.id);
  const expiresAt = new Date(at.getTime() + LIFETIMES_MS[about.kind]);
  await (await prisma(db)).passwordLink.create({
    data: { hash, userId: person.id, kind: about.kind, createdAt: at, expiresAt },
    select: { hash: true },
  });
  const language = languageOf(person.locale, about.kind === "invitation" ? about.locale : null);
  const t = emailText(language);
  const { username } = person;
  const host = new URL(env().PUBLIC_URL).host;
  const texts =
    about.kind === "invitation"
      ? {
          subject: t("teamInvitation.subject", { shop: about.shop }),
          preheader: t("teamInvitation.preheader"),
          heading: t("teamInvitation.heading"),
          lines: [
            t("teamInvitation.line", { by: about.by, shop: about.shop }),
            t("teamInvitation.username", { username }),
          ],
          button: t("teamInvitation.button"),
          note: t("teamInvitation.note"),
          why: t("teamInvitation.why", { by: about.by }),
        }
      : {
          subject: t("passwordReset.subject"),
          preheader: t("passwordReset.preheader"),
          heading: t("passwordReset.heading"),
          lines: [t("passwordReset.line", { host }), t("passwordReset.username", { username })],
          button: t("passwordReset.button"),
          note: t("passwordReset.note"),
          why: t("passwordReset.why", { host }),
        };
  const mailId = await queueMail(
    {
      idempotencyKey: `password:${hash}`,
      clientId: null,
      kind: "password",
      to: person.email,
      ...senderOf(serviceSender),
      ...renderMessage(serviceSender, {
        language,
        ...texts,
        button: { label: texts.button, url: `${env().PUBLIC_URL}/portal/password/${secret}` },
        opt_out: null,
      }),
    },
    db,
  );
  await enqueue(db, [{ name: "mail/queued", data: { mail_id: mailId } }]);
}

/** Invalidates all password links of a person, in the caller's transaction. */
export async function endPasswordLinks(db: Db, userId: string): Promise<void> {
  await (await prisma(db)).passwordLink.updateMany({ where: { userId, usedAt: null }, data: { usedAt: now() } });
}

export type PasswordLink = { hash: string; kind: "invitation" | "reset"; userId: string; username: string };

/** The person a link belongs to, or null if it was used, expired or isn't ours. Changes nothing. */
export async function openPasswordLink(secret: string): Promise<PasswordLink | null> {
  if (!/^[\w-]{22}$/.test(secret)) return null;
  const link = await (await prisma()).passwordLink.findUnique({
    where: {
      hash: hashOf(secret),
      usedAt: null,
      expiresAt: { gt: now() },
      user: { disabledAt: null, demo: false },
    },
    select: { hash: true, kind: true, userId: true, user: { select: { username: true } } },
  });
  return link && { ...link, kind: link.kind as PasswordLink["kind"], username: link.user.username };
}
