import { pool } from "@/lib/platform/db/pool";

/** Clients with due deliveries to the engagement platform, among the given ones or all. */
export async function listDueClients(among: string[] | null): Promise<string[]> {
  const { rows } = await pool().query<{ client_id: string }>(
    `select distinct client_id from deliveries d join integrations i using (client_id, type)
      where type = 'engagement' and outcome = 'pending' and due_at <= now()
        and (i.enabled or d.kind in ('interaction.removal', 'interaction.search', 'attributes.rewrite'))
        and ($1::text[] is null or client_id = any($1))`,
    [among],
  );
  return rows.map(({ client_id }) => client_id);
}
