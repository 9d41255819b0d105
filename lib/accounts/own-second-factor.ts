import type { Actor } from "@/lib/accounts/actor";
import { mailNotice } from "@/lib/accounts/mail-notice";
import { type AuditedPerson, recordPersonAudit } from "@/lib/accounts/record-person-audit";
import { requireOwnPassword } from "@/lib/accounts/set-password";
import { newRecoveryCodes, newTotpSecret, totpStepOf } from "@/lib/accounts/sign-in/second-factor";
import { endSessions } from "@/lib/accounts/sign-in/session-store";
import { prisma, transaction } from "@/lib/platform/db/prisma";
import { AppError } from "@/lib/platform/errors";
import { takeToken } from "@/lib/platform/http/rate-limit";

/**
 * Starts the setup of the person's own second factor: returns a secret for an app, only here. It takes effect once the
 * app has proved that it has it; until then the previous setting holds. Throws `invalid_field` for a wrong password,
 * `rate_limited`, `forbidden` for the demo's login.
 */
export async function startSecondFactor(
  actor: Actor,
  { password }: { password: string },
): Promise<{ secret: string; uri: string }> {
  const { username } = await requireOwnPassword(actor, password, "password");
  const { secret, uri, sealed } = newTotpSecret(username);
  await (await prisma()).user.updateMany({ where: { id: actor.id }, data: { totpPending: sealed } });
  return { secret, uri };
}

/**
 * Turns it on with a code from the app and returns the recovery codes, only here. Every other session ends, and the
 * password alone no longer works for the API. Throws `invalid_field` for a wrong code, `conflict` if no setup was
 * started.
 */
export async function confirmSecondFactor(actor: Actor, { code }: { code: string }): Promise<string[]> {
  const { codes, hashes } = newRecoveryCodes();
  takeToken("failed_code", actor.id);
  const right = await transaction(async (db) => {
    const { rows } = await db.query<AuditedPerson & { totp_pending: Buffer<ArrayBuffer> | null }>(
      "select id, account_id, all_clients, totp_pending from users where id = $1 and not demo for update",
      [actor.id],
    );
    const person = rows[0];
    if (!person?.totp_pending) throw new AppError("conflict", { reason: "second_factor_not_begun" });
    const step = totpStepOf(person.totp_pending, code);
    if (step === null) return false;
    await (await prisma(db)).user.update({
      where: { id: actor.id },
      data: { totpSecret: person.totp_pending, totpPending: null, totpLastStep: step, recoveryCodes: hashes },
      select: { id: true },
    });
    await endSessions(db, actor.id, actor.session ?? null);
    await recordPersonAudit(db, person, { actor, action: "second_factor.enabled" });
    await mailNotice(db, actor.id, "second_factor_on");
    return true;
  });
  if (right) return codes;
  throw new AppError("invalid_field", { reason: "wrong_code", field: "code" });
}

/**
 * Turns off the caller's own. Throws `invalid_field` for a wrong password, `rate_limited`, `forbidden` for the demo's
 * login.
 */
export async function removeSecondFactor(actor: Actor, { password }: { password: string }): Promise<void> {
  const person = await requireOwnPassword(actor, password, "password");
  await transaction(async (db) => {
    const { rows } = await db.query<{ was_on: boolean }>(
      "select totp_secret is not null as was_on from users where id = $1 for update",
      [actor.id],
    );
    const { count } = await (await prisma(db)).user.updateMany({
      where: { id: actor.id, OR: [{ totpSecret: { not: null } }, { totpPending: { not: null } }] },
      data: noSecondFactor,
    });
    if (count === 1) await recordPersonAudit(db, person, { actor, action: "second_factor.disabled" });
    if (rows[0]?.was_on) await mailNotice(db, actor.id, "second_factor_off");
  });
}

/** The columns of a person without two-factor authentication. */
export const noSecondFactor = { totpSecret: null, totpPending: null, totpLastStep: null, recoveryCodes: [] };
