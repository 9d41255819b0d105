import { isDeepStrictEqual } from "node:util";
import type { Actor } from "@/lib/accounts/actor";
import { displayNameSql } from "@/lib/accounts/colleagues";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { ClientSettings } from "@/lib/accounts/stores/settings";
import {
  type BlocksByLanguage,
  TemplateBlocks,
  type TemplateLanguage,
} from "@/lib/accounts/stores/template-blocks/schema";
import type { TemplateVersion, VersionEntry } from "@/lib/invitations/template-blocks/schema";
import { type TemplateTexts, templateLanguages, templateTexts } from "@/lib/invitations/template-blocks/with-blocks";
import { type Db, pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";

type Config = ClientSettings["config"];

/** The only template that stores can set. */
const TEMPLATE = "invitation";
/** Versions kept per template and language. */
export const MAX_VERSIONS = 50;

type VersionRow = {
  version: number;
  subject: string | null;
  html_template: string | null;
  text_template: string | null;
  blocks: TemplateBlocks | null;
};

const textsOf = (row: VersionRow): TemplateTexts => ({
  subject: row.subject ?? undefined,
  html_template: row.html_template ?? undefined,
  text_template: row.text_template ?? undefined,
});

const isCustom = (texts: TemplateTexts): boolean => Object.values(texts).some((text) => text !== undefined);

async function newestVersions(db: Db, clientId: string): Promise<Map<string, VersionRow>> {
  const { rows } = await db.query<VersionRow & { language: string }>(
    `select distinct on (language) language, version, subject, html_template, text_template, blocks
       from template_versions where client_id = $1 and template = $2
      order by language, version desc`,
    [clientId, TEMPLATE],
  );
  return new Map(rows.map((row) => [row.language, row]));
}

type Save = {
  clientId: string;
  before: Config;
  after: Config;
  /** what templates in `after` were compiled from */
  blocks: BlocksByLanguage;
  actor: Pick<Actor, "kind" | "id"> | undefined;
};

/**
 * Records the templates that a save changes, in its transaction, which has locked the client's row. A template without
 * a version of its present texts gets one first, so that they can be restored.
 */
export async function recordVersions(db: Db, { clientId, before, after, blocks, actor }: Save): Promise<void> {
  const changed = templateLanguages.filter(
    (language) =>
      blocks[language] !== undefined ||
      !isDeepStrictEqual(templateTexts(before, language), templateTexts(after, language)),
  );
  if (changed.length === 0) return;
  const newest = await newestVersions(db, clientId);
  for (const language of changed) {
    const last = newest.get(language);
    const [old, texts] = [templateTexts(before, language), templateTexts(after, language)];
    const made = blocks[language] ?? null;
    const hasOld = last !== undefined && isDeepStrictEqual(textsOf(last), old);
    if (hasOld && isDeepStrictEqual(old, texts) && isDeepStrictEqual(last.blocks, made)) continue;
    let version = last?.version ?? 0;
    const insert = async (given: TemplateTexts, of: TemplateBlocks | null, by: Partial<Pick<Actor, "kind" | "id">>) => {
      version += 1;
      await db.query(
        `insert into template_versions
           (client_id, template, language, version, subject, html_template, text_template, blocks, actor_kind, actor_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          clientId,
          TEMPLATE,
          language,
          version,
          given.subject ?? null,
          given.html_template ?? null,
          given.text_template ?? null,
          of && JSON.stringify(of),
          by.kind ?? null,
          by.id ?? null,
        ],
      );
    };
    if (!hasOld && isCustom(old) && !isDeepStrictEqual(old, texts)) await insert(old, null, {});
    await insert(texts, made, actor ?? { kind: "system", id: "system" });
    await db.query(
      "delete from template_versions where client_id = $1 and template = $2 and language = $3 and version <= $4",
      [clientId, TEMPLATE, language, version - MAX_VERSIONS],
    );
  }
}

/**
 * The blocks that a client's templates are made of. A template whose text was changed since, in the portal or by the
 * API, has none.
 */
export async function currentBlocks({ id, config }: Pick<ClientRow, "id" | "config">): Promise<BlocksByLanguage> {
  const newest = await newestVersions(pool(), id);
  return Object.fromEntries(
    templateLanguages.flatMap((language) => {
      const row = newest.get(language);
      const blocks = row && blocksOf(row);
      return row && blocks && isDeepStrictEqual(textsOf(row), templateTexts(config as Config, language))
        ? [[language, blocks]]
        : [];
    }),
  );
}

/** The blocks of a version, unless they are of a release with other blocks. */
const blocksOf = ({ blocks }: VersionRow): TemplateBlocks | null => TemplateBlocks.safeParse(blocks).data ?? null;

/** The versions of a client's template, newest first. */
export async function listVersions(clientId: string, language: TemplateLanguage): Promise<VersionEntry[]> {
  const { rows } = await pool().query<Omit<VersionEntry, "saved_at"> & { saved_at: Date }>(
    `select version, created_at as saved_at, coalesce(actor_kind, 'unknown') as by_kind,
            case actor_kind when 'user' then (select ${displayNameSql("u")} from users u where u.id = actor_id)
              when 'key' then (select name from api_keys where id = actor_id) end as saved_by,
            case when coalesce(subject, html_template, text_template) is null then 'default'
              when blocks is null then 'html' else 'blocks' end as made_of
       from template_versions where client_id = $1 and template = $2 and language = $3
      order by version desc limit ${MAX_VERSIONS}`,
    [clientId, TEMPLATE, language],
  );
  return rows.map((row) => ({ ...row, saved_at: toIsoSeconds(row.saved_at) }));
}

/** A version of a client's template. Throws `not_found`. */
export async function getVersion(
  clientId: string,
  { language, version }: { language: TemplateLanguage; version: number },
): Promise<TemplateVersion> {
  const { rows } = await pool().query<VersionRow>(
    `select version, subject, html_template, text_template, blocks from template_versions
      where client_id = $1 and template = $2 and language = $3 and version = $4`,
    [clientId, TEMPLATE, language, version],
  );
  const row = rows[0];
  if (!row) throw new AppError("not_found", { reason: "template_version_not_found" });
  return { ...row, blocks: blocksOf(row) };
}
