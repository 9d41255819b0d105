import { expect, it } from "vitest";
import { hidePhoto } from "@/lib/reviews/decisions/hide-photo";
import { aClient, rowsOf, someQuestions, someReviews } from "@/lib/tools/test/factories";
import { listPhotos } from "./list-photos";

type Shop = { id: string };
const admin = { id: "usr_admin", role: "admin" } as const;
const moderator = { kind: "user", id: "usr_1" } as const;
const sizes = { icon: [1, 1], medium: [1, 1], large: [1, 1] };

/** Stores a photo of a text, claimed so many minutes ago. Returns its token. */
async function aPhoto({ id: client }: Shop, kind: "review" | "question", id: string, minutes: number): Promise<string> {
  const token = `${kind}-${id}-${minutes}`;
  await rowsOf(
    `insert into uploads (client_id, token, key, format, width, height, sizes, bytes, subject_kind, subject_id, claimed_at)
     values ($1, $2, $1 || $2, 'jpeg', 1, 1, $3, 1, $4, $5, now() - make_interval(mins => $6))`,
    [client, token, JSON.stringify(sizes), kind, id, minutes],
  );
  const image = { token, key: `${client}${token}`, format: "jpeg", width: 1, height: 1, sizes };
  const table = kind === "review" ? "reviews" : "questions";
  await rowsOf(`update ${table} set images = images || $3::jsonb where client_id = $1 and id = $2`, [
    client,
    id,
    JSON.stringify([image]),
  ]);
  return token;
}

async function listed(
  client: Shop,
  state?: "shown" | "hidden",
): Promise<[token: string, hidden: boolean, item: string][]> {
  const found: [string, boolean, string][] = [];
  let after: string | undefined;
  do {
    const page = await listPhotos(admin, client, { state, after });
    found.push(
      ...page.photos.map(({ image, hidden, item }): [string, boolean, string] => [image.token, hidden, item.id]),
    );
    after = page.next ?? undefined;
  } while (after);
  return found;
}

it("lists the photos of all texts, newest first, with hidden ones", async () => {
  const [client, foreign] = [await aClient(), await aClient()];
  const [review = "", rejected = ""] = await someReviews(client.id, [{ accepted: true }, { accepted: false }]);
  const [question = ""] = await someQuestions(client.id, [{}]);
  const [theirs = ""] = await someReviews(foreign.id, [{}]);
  const first = await aPhoto(client, "review", review, 3);
  const second = await aPhoto(client, "question", question, 2);
  const third = await aPhoto(client, "review", rejected, 1);
  await aPhoto(foreign, "review", theirs, 1);
  await hidePhoto(moderator, client, "review", review, first, true);
  expect(await listed(client)).toEqual([
    [third, false, rejected],
    [second, false, question],
    [first, true, review],
  ]);
  expect(await listed(client, "hidden")).toEqual([[first, true, review]]);
  expect((await listed(client, "shown")).map(([token]) => token)).toEqual([third, second]);
});

it("pages through many photos of one review", async () => {
  const client = await aClient();
  const [review = ""] = await someReviews(client.id, [{}]);
  const tokens: string[] = [];
  for (let n = 0; n < 60; n += 1) tokens.push(await aPhoto(client, "review", review, n));
  expect((await listed(client)).map(([token]) => token)).toEqual(tokens);
});

it("leaves out what an erased person uploaded", async () => {
  const client = await aClient();
  const [review = ""] = await someReviews(client.id, [{}]);
  const token = await aPhoto(client, "review", review, 1);
  await rowsOf("update uploads set subject_kind = 'erased', subject_id = 'erasure_1' where token = $1", [token]);
  expect(await listed(client)).toEqual([]);
});
