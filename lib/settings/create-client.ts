import { randomBytes } from "node:crypto";
import { type AuditRecord, recordAudit } from "@/lib/accounts/record-audit";
import { checkSettings } from "@/lib/accounts/stores/check-settings";
import { databaseCode, isDuplicate, transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import { setClientWithin, validateTemplates } from "@/lib/settings/set-client";

/** Letters, digits, dots, hyphens, underscores: a client id is part of addresses and usually a site's name. */
const idShape = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/**
 * Creates a client with the documented defaults, overridden by the given settings. Without an account, creates one with
 * the client's name. An invalid setting rolls back everything. Throws `conflict` if the id exists.
 */
export async function createClient(input: {
  id: string;
  accountId?: string;
  publicKey?: string;
  demo?: boolean;
  /** a test store, with a clock of its own */
  test?: boolean;
  settings?: Record<string, unknown>;
  /** the person who creates it, for the audit log */
  actor?: AuditRecord["actor"];
}): Promise<void> {
  const {
    id,
    accountId,
    publicKey = `pk_${randomBytes(16).toString("hex")}`,
    demo = false,
    test = false,
    settings = {},
    actor,
  } = input;
  if (!idShape.test(id)) {
    throw new AppError("invalid_field", {
      issues: [
        {
          field: "id",
          reason: "invalid_client_id",
          params: { max: 100 },
        },
      ],
    });
  }
  const checked = checkSettings(settings);
  try {
    await transaction(async (db) => {
      const account = accountId ?? newId("acc");
      if (!accountId) await db.query("insert into accounts (id, name, demo) values ($1, $2, $3)", [account, id, demo]);
      await db.query(
        "insert into clients (id, account_id, display_name, email_name, public_key, demo, test_days) values ($1, $2, $1, $1, $3, $4, $5)",
        [id, account, publicKey, demo, test ? 0 : null],
      );
      // The row is new and not committed, so no other transaction can wait for its lock.
      await setClientWithin(db, id, checked, {
        validatedTemplates: await validateTemplates(db, id, checked),
        actor,
        isNew: true,
      });
      if (actor)
        await recordAudit(db, {
          clientId: id,
          actor,
          action: "client.created",
          subject: id,
          detail: {},
        });
    });
  } catch (error) {
    if (isDuplicate(error))
      throw new AppError("conflict", { reason: "client_exists", params: { id }, cause: error, field: "id" });
    if (databaseCode(error) === "23503")
      throw new AppError("not_found", { reason: "account_not_found", params: { id: accountId ?? "" }, cause: error });
    throw error;
  }
}
