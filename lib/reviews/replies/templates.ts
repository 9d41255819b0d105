import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { prisma, transaction } from "@/lib/platform/db/prisma";
import { AppError, throwIssues } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import { sortByName } from "@/lib/platform/sort-by-name";
import { MAX_TEMPLATES, type NewTemplate, type ReplyTemplate } from "@/lib/reviews/replies/schema";

/** A client's reply templates, by name. */
export async function listTemplates({ id }: Pick<ClientRow, "id">): Promise<ReplyTemplate[]> {
  const { replyTemplate } = await prisma();
  const select = { id: true, name: true, text: true };
  return sortByName(await replyTemplate.findMany({ where: { clientId: id }, select, take: MAX_TEMPLATES }));
}

/** Saves a reply template, replacing one with the same name. Throws `invalid_field` if there are too many. */
export function saveTemplate(
  actor: Pick<Actor, "id">,
  client: Pick<ClientRow, "id">,
  { name, text }: NewTemplate,
): Promise<{ id: string }> {
  return transaction(async (db) => {
    // Serialized, so concurrent calls don't exceed the limit.
    await db.query("select pg_advisory_xact_lock(hashtextextended($1, 1071))", [client.id]);
    const { replyTemplate } = await prisma(db);
    const place = { clientId: client.id, name: name.trim() };
    const others = await replyTemplate.count({ where: { clientId: client.id, name: { not: place.name } } });
    const tooMany = others >= MAX_TEMPLATES;
    throwIssues(tooMany ? [{ field: "name", reason: "one_too_many", params: { max: MAX_TEMPLATES } }] : []);
    const written = { text: text.trim(), userId: actor.id };
    return replyTemplate.upsert({
      where: { clientId_name: place },
      create: { ...place, ...written, id: newId("tpl") },
      update: written,
      select: { id: true },
    });
  });
}

/** Deletes a reply template. Throws `not_found`. */
export async function removeTemplate(client: Pick<ClientRow, "id">, id: string): Promise<undefined> {
  await transaction(async (db) => {
    const { count } = await (await prisma(db)).replyTemplate.deleteMany({ where: { clientId: client.id, id } });
    if (count === 0) throw new AppError("not_found", { reason: "template_not_found" });
  });
  return undefined;
}
