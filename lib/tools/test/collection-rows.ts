import sharp from "sharp";
import { pool } from "@/lib/platform/db/pool";
import type { UploadResult } from "@/lib/reviews/uploads/schema";

/** Rows and requests for tests of public collection and display. */

/** Creates a client in its own account with the public key `pk_<id>`; `settings` are columns of `clients`. */
export async function makeClient(id: string, settings: Record<string, unknown> = {}): Promise<string> {
  await pool().query("insert into accounts (id, name) values ($1, $1) on conflict do nothing", [`acc-${id}`]);
  const columns: Record<string, unknown> = {
    id,
    account_id: `acc-${id}`,
    display_name: id,
    email_name: id,
    public_key: `pk_${id}`,
    ...settings,
  };
  const values = Object.entries(columns).map(([name, value]) =>
    value !== null && typeof value === "object" && name !== "allowed_origins" ? JSON.stringify(value) : value,
  );
  const places = values.map((_, index) => `$${index + 1}`).join(", ");
  await pool().query(`insert into clients (${Object.keys(columns).join(", ")}) values (${places})`, values);
  return id;
}

export async function makeProduct(
  client: string,
  id: string,
  facts: { family?: string; name?: string; category?: string } = {},
) {
  await pool().query("insert into products (client_id, id, family_id, name, category) values ($1, $2, $3, $4, $5)", [
    client,
    id,
    facts.family ?? id,
    facts.name ?? `Product ${id}`,
    facts.category ?? null,
  ]);
}

/** Accepts or rejects a review, or moves it back to pending, as moderation does. */
export async function setAccepted(client: string, id: string, accepted: boolean | null) {
  await pool().query(
    `update reviews set accepted = $3, accepted_at = case when $3 then now() end,
            reject_reason = case when $3 = false then 'unspecified' end where client_id = $1 and id = $2`,
    [client, id, accepted],
  );
}

/** Number of rows of a table, of all clients. */
export const countOf = async (table: string): Promise<number> =>
  (await pool().query(`select count(*)::int as n from ${table}`)).rows[0].n;

type Endpoint = (request: Request) => Promise<Response>;

/** Calls an exported route handler with JSON; a string body is sent unchanged. */
export const postJson = (endpoint: Endpoint, path: string, body: unknown, headers: Record<string, string> = {}) =>
  endpoint(
    new Request(`http://localhost${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }),
  );

export const get = (endpoint: Endpoint, path: string, headers: Record<string, string> = {}) =>
  endpoint(new Request(new URL(path, "http://localhost"), { headers }));

/** Uploads an image for the client. `file` may be invalid, to test the rejection. */
export async function uploadImage(
  endpoint: Endpoint,
  client: string,
  file: Blob | string | null,
  name = "photo.jpg",
  key = `pk_${client}`,
) {
  const form = new FormData();
  form.set("client_id", client);
  form.set("api_key", key);
  if (typeof file === "string") form.set("file", file);
  else if (file) form.set("file", file, name);
  // Serialized, as it arrives from a socket.
  const sent = new Response(form);
  const headers = { "content-type": sent.headers.get("content-type") ?? "" };
  return endpoint(
    new Request("http://localhost/uploader", { method: "POST", headers, body: await sent.arrayBuffer() }),
  );
}

/** The response to an upload of a small picture. */
export async function aPicture(
  endpoint: Endpoint,
  { id, publicKey }: { id: string; publicKey: string },
): Promise<UploadResult> {
  const picture = sharp({ create: { width: 30, height: 20, channels: 3, background: "#123" } });
  const file = new Blob([new Uint8Array(await picture.png().toBuffer())]);
  return (await uploadImage(endpoint, id, file, "a.png", publicKey)).json();
}

/** Status of an error response and the fields of its issues, in order. */
export async function statusAndFields(response: Response): Promise<[number, (string | null)[]]> {
  const body = (await response.json()) as { errors?: { field: string | null }[] };
  return [response.status, (body.errors ?? []).map(({ field }) => field).sort()];
}
