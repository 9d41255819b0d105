import type { Actor } from "@/lib/accounts/actor";
import { pool } from "@/lib/platform/db/pool";

/**
 * Whether the portal hides the stars of reviews that aren't decided yet from a person: they want it so, or the store's
 * setting `hide_stars` does. Helps to decide by the text. API and exports have the stars.
 */
export async function hidesStars(actor: Pick<Actor, "id">, clientId: string): Promise<boolean> {
  const { rows } = await pool().query<{ hides: boolean }>({
    name: "hides-stars",
    text: `select exists (select from clients where id = $1 and config->'hide_stars' = 'true')
               or exists (select from users where id = $2 and hide_stars) as hides`,
    values: [clientId, actor.id],
  });
  return rows[0]?.hides === true;
}
