import { readFile } from "node:fs/promises";
import path from "node:path";
import { createKey } from "@/lib/accounts/api-keys";
import { createUser } from "@/lib/accounts/create-user";
import { demoAllowedHere } from "@/lib/accounts/sign-in/demo";
import { changeSetup } from "@/lib/insights/setup/change-setup";
import { postOrder } from "@/lib/orders/post-order";
import { dayIn, now } from "@/lib/platform/clock";
import { longTransaction, pool, transaction } from "@/lib/platform/db/pool";
import { demoPassword, env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { newReviewId, newToken } from "@/lib/platform/ids";
import { removeFolder } from "@/lib/platform/storage/files";
import { claimUploads } from "@/lib/reviews/uploads/claim-uploads";
import { folderOf } from "@/lib/reviews/uploads/image-objects";
import { storeUpload } from "@/lib/reviews/uploads/store-upload";
import { createClient } from "@/lib/settings/create-client";
import { catalog, demoOrders, demoQuestions, demoReviews, demoSellerReviews } from "@/lib/tools/demo/catalog";
import { addPastInvitations, addPastOrders } from "@/lib/tools/demo/past-invitations";

const CLIENT = "demo.candor.example";
const DEMO_USER = "demo";
/**
 * These keys are public: they only access the demo's data. The login can access everything, so its password is secret.
 */
const DEMO_KEY = "sk_demo_0123456789abcdef";
const DEMO_PUBLIC_KEY = "pk_demo_0123456789abcdef";
const ACCOUNT = "acc_demo";
const DAY = 86_400_000;

/**
 * Creates the demo account in an empty embedded database, and returns whether it did. Its keys are public, so the
 * service must listen on loopback addresses only (or CANDOR_DEMO be set). Recreates a demo that an interrupted start
 * left incomplete.
 */
export async function loadDemo(): Promise<boolean> {
  const { rows } = await pool().query<{ used: boolean; whole: boolean }>(
    `select exists (select from clients where id <> $1) as used, exists (select from api_keys where demo) as whole`,
    [CLIENT],
  );
  if (rows[0]?.used || rows[0]?.whole || !env().EMBEDDED_DATABASE || !demoAllowedHere()) return false;
  await deleteDemo();
  await createDemo();
  return true;
}

/** Returns the demo's credentials. Throws `not_found` if there is no demo account. */
export async function demoCredentials() {
  const { rowCount } = await pool().query("select from users where demo and username = $1", [DEMO_USER]);
  if (rowCount === 0) throw new AppError("not_found", { reason: "no_demo_account" });
  return { username: DEMO_USER, password: demoPassword(), key: DEMO_KEY, public_key: DEMO_PUBLIC_KEY };
}

/**
 * Deletes the demo account with all its data and creates it again. Throws `forbidden` if the demo isn't allowed here.
 */
export async function resetDemo(): Promise<void> {
  if (!demoAllowedHere()) throw new AppError("forbidden", { reason: "demo_needs_loopback" });
  if (!env().EMBEDDED_DATABASE && !env().CANDOR_DEMO)
    throw new AppError("forbidden", { reason: "demo_needs_embedded" });
  await deleteDemo();
  await createDemo();
}

async function deleteDemo(): Promise<void> {
  // Files first: after a crash in between, the rows remain and the next call starts over.
  const { rows: uploads } = await pool().query<{ key: string }>("select key from uploads where client_id = $1", [
    CLIENT,
  ]);
  for (const { key } of uploads) await removeFolder(folderOf(key));
  await longTransaction(async (db) => {
    await db.query("delete from api_keys where demo");
    await db.query("delete from users where demo");
    await db.query("delete from accounts where id = $1", [ACCOUNT]);
  });
}

/** Uses several transactions. The key is inserted last and marks the demo as complete. */
async function createDemo(): Promise<void> {
  await pool().query("insert into accounts (id, name, demo) values ($1, 'Candor demo', true)", [ACCOUNT]);
  await createClient({
    id: CLIENT,
    accountId: ACCOUNT,
    publicKey: DEMO_PUBLIC_KEY,
    demo: true,
    settings: {
      display_name: "Fjord & Fern",
      email_name: "Fjord & Fern",
      contact_email: "hello@fjord-fern.example",
      contact_url: "https://fjord-fern.example/contact",
      config: { accent_color: "#2f6b5b" },
    },
  });
  await createUser({ username: DEMO_USER, role: "operator", accountId: ACCOUNT, demo: true });
  await addProducts();
  await addReviews();
  await addPhotos();
  await addQuestions();
  await addSellerReviews();
  for (const [index, { customer, email, items }] of demoOrders.entries()) {
    await postOrder(
      { id: CLIENT },
      {
        id: `FF-10${String(index + 24)}`,
        customer: { id: `C-${index + 301}`, name: customer, email },
        items: items.map(({ id, delivered }) => ({ id, delivery_date: daysAgo(delivered) })),
      },
    );
  }
  await addPastInvitations(CLIENT);
  await addPastOrders(CLIENT);
  await changeSetup({ id: CLIENT }, { dismissed: true });
  await createKey({ clients: [CLIENT], name: "Demo key", secret: DEMO_KEY, demo: true });
}

const daysAgo = (days: number): string => dayIn("UTC", new Date(now().getTime() - days * DAY));

const addressOf = (author: string): string =>
  `${author
    .toLowerCase()
    .replace(/[^a-z]+/g, ".")
    .replace(/\.$/, "")}@customers.example`;

/** When the store decided on an item submitted at this time. */
const decisionTime = (submittedAt: Date): Date =>
  new Date(Math.min(submittedAt.getTime() + 5 * 3_600_000, now().getTime()));

/** SQL of the id of the demo's moderator. */
const DEMO_USER_ID_SQL = "(select id from users where demo)";

/**
 * SQL that inserts the history of the rows of `given`, with columns `written`, `decided`, `accepted` and
 * `reject_reason`.
 */
const insertHistorySql = (kind: "review" | "seller_review" | "question"): string =>
  `insert into moderation_events (client_id, kind, subject_id, at, actor_kind, actor_id, action, from_state, to_state, reason)
   select $1, '${kind}', id, at, actor, case when actor = 'user' then ${DEMO_USER_ID_SQL} end, action, from_state, to_state, reason from (
     select id, written as at, 'author' as actor, 'submitted' as action, null as from_state, 'pending' as to_state, null as reason from given
     union all
     select id, decided, 'user', 'decided', 'pending', case when accepted then 'accepted' else 'rejected' end, reject_reason
       from given where decided is not null) e
   order by at`;

async function addProducts(): Promise<void> {
  const rows = catalog.map(({ image, family, ...product }) => ({
    ...product,
    family_id: family,
    url: `https://fjord-fern.example/p/${product.id.toLowerCase()}`,
    image_url: `${env().PUBLIC_URL}/demo/${image}.svg`,
  }));
  await pool().query(
    `insert into products (client_id, id, family_id, brand, name, category, url, image_url)
     select $1, id, family_id, brand, name, category, url, image_url
       from jsonb_to_recordset($2::jsonb) as p(id text, family_id text, brand text, name text, category text, url text, image_url text)`,
    [CLIENT, JSON.stringify(rows)],
  );
}

async function addReviews(): Promise<void> {
  const rows = demoReviews.map((opinion) => {
    const submittedAt = new Date(now().getTime() - opinion.daysAgo * DAY);
    const decided = decisionTime(submittedAt);
    const product = catalog.find(({ id }) => id === opinion.product);
    return {
      id: newReviewId(),
      source: opinion.web ? "web" : "invitation",
      product_id: opinion.product,
      family_id: product?.family,
      product_name: product?.name,
      category: product?.category,
      author: opinion.author,
      author_email: addressOf(opinion.author),
      score: opinion.score,
      title: opinion.title ?? null,
      extract: opinion.text,
      pros: opinion.pros ?? [],
      cons: opinion.cons ?? [],
      recommended: opinion.recommended ?? null,
      lang: opinion.lang,
      date: submittedAt.toISOString().slice(0, 10),
      verified_buyer: !opinion.web,
      votes_up: opinion.up ?? 0,
      accepted: opinion.state === undefined ? true : opinion.state === "rejected" ? false : null,
      reject_reason: opinion.reason ?? null,
      written: submittedAt.toISOString(),
      decided: opinion.state === "pending" ? null : decided.toISOString(),
      feedback_token: newToken(),
      reply: opinion.reply ?? null,
    };
  });
  await pool().query(
    `with given as (
       select * from jsonb_to_recordset($2::jsonb) as r(id text, source text, product_id text, family_id text, product_name text, category text, author text,
         author_email text, score int, title text, extract text, pros jsonb, cons jsonb, recommended boolean, lang text, date date, verified_buyer boolean,
         votes_up int, accepted boolean, reject_reason text, written timestamptz, decided timestamptz, feedback_token text, reply text)),
     history as (
       ${insertHistorySql("review")}),
     replies as (
       insert into responses (client_id, id, kind, subject_id, author, extract, lang, date, created_at, updated_at)
       select $1, 'rsp_' || id, 'review', id, 'Fjord & Fern', reply, lang, (decided + interval '1 day')::date, decided + interval '1 day', decided + interval '1 day'
         from given where reply is not null)
     insert into reviews (client_id, id, source, product_id, family_id, product_name, category, author, author_email, email_key, score, title, extract, pros, cons,
                          recommended, lang, date, verified_buyer, verified_email, votes_up, responses, accepted, accepted_at, reject_reason, decided_at, feedback_token, created_at, updated_at)
     select $1, id, source, product_id, family_id, product_name, category, author, author_email, author_email, score, title, extract,
            array(select jsonb_array_elements_text(pros)), array(select jsonb_array_elements_text(cons)), recommended, lang, date, verified_buyer, verified_buyer, votes_up,
            case when reply is null then '[]' else jsonb_build_array(jsonb_build_object('author', 'Fjord & Fern', 'date', to_char(decided + interval '1 day', 'YYYY-MM-DD'),
              'extract', reply, 'lang', lang, 'updated_at', to_char((decided + interval '1 day') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))) end,
            accepted, case when accepted then decided end, reject_reason, decided, feedback_token, written, coalesce(decided, written)
       from given order by written`,
    [CLIENT, JSON.stringify(rows)],
  );
}

/** Adds photos, as if the customers had submitted them. */
async function addPhotos(): Promise<void> {
  for (const { product, author, photos = [] } of demoReviews) {
    if (photos.length === 0) continue;
    const tokens: string[] = [];
    for (const name of photos) {
      const file = path.join(/* turbopackIgnore: true */ process.cwd(), "public/demo/photos", `${name}.jpg`);
      tokens.push((await storeUpload({ id: CLIENT }, new Blob([new Uint8Array(await readFile(file))]))).token);
    }
    await transaction(async (db) => {
      const { rows } = await db.query<{ id: string }>(
        "select id from reviews where client_id = $1 and product_id = $2 and author = $3 for update",
        [CLIENT, product, author],
      );
      for (const { id } of rows) {
        const images = await claimUploads(db, { id: CLIENT }, tokens, { kind: "review", id });
        await db.query("update reviews set images = $3 where client_id = $1 and id = $2", [
          CLIENT,
          id,
          JSON.stringify(images),
        ]);
      }
    });
  }
}

/** Adds questions with the store's answers; one is unanswered. */
async function addQuestions(): Promise<void> {
  const rows = demoQuestions.map(({ product, age, ...inquiry }) => ({
    ...inquiry,
    id: newReviewId(),
    product_id: product,
    family_id: catalog.find(({ id }) => id === product)?.family,
    product_name: catalog.find(({ id }) => id === product)?.name,
    date: daysAgo(age),
    answered: daysAgo(age - 1),
    written: new Date(now().getTime() - age * DAY).toISOString(),
    decided: inquiry.answer === undefined ? null : decisionTime(new Date(now().getTime() - age * DAY)).toISOString(),
    accepted: inquiry.answer === undefined ? null : true,
    reject_reason: null,
    feedback_token: newToken(),
  }));
  await pool().query(
    `with given as (
       select * from jsonb_to_recordset($2::jsonb) as q(id text, product_id text, family_id text, product_name text, author text, question text, details text,
         date date, written timestamptz, decided timestamptz, accepted boolean, reject_reason text, feedback_token text)),
     history as (
       ${insertHistorySql("question")})
     insert into questions (client_id, id, source, product_id, family_id, product_name, author, question, details, lang, date, accepted, accepted_at, decided_at,
                            feedback_token, created_at, updated_at)
     select $1, id, 'web', product_id, family_id, product_name, author, question, coalesce(details, ''), 'en', date,
            accepted, decided, decided, feedback_token, written, coalesce(decided, written)
       from given order by written`,
    [CLIENT, JSON.stringify(rows)],
  );
  await pool().query(
    `insert into answers (client_id, id, question_id, author, answer, lang, date, accepted, accepted_at)
     select $1, 'ans_' || id, id, 'Fjord & Fern', answer, 'en', answered, true, now()
       from jsonb_to_recordset($2::jsonb) as q(id text, answer text, answered date) where answer is not null`,
    [CLIENT, JSON.stringify(rows)],
  );
}

async function addSellerReviews(): Promise<void> {
  const rows = demoSellerReviews.map(({ age, ...praise }) => {
    const submittedAt = new Date(now().getTime() - age * DAY);
    return {
      ...praise,
      id: newReviewId(),
      author_email: addressOf(praise.author),
      date: daysAgo(age),
      written: submittedAt.toISOString(),
      decided: decisionTime(submittedAt).toISOString(),
      accepted: true,
      reject_reason: null,
      feedback_token: newToken(),
    };
  });
  await pool().query(
    `with given as (
       select * from jsonb_to_recordset($2::jsonb) as s(id text, author text, author_email text, score int, text text, lang text, date date,
         written timestamptz, decided timestamptz, accepted boolean, reject_reason text, feedback_token text)),
     history as (
       ${insertHistorySql("seller_review")})
     insert into seller_reviews (client_id, id, source, author, author_email, email_key, score, extract, lang, date, verified_buyer, verified_email,
                                 accepted, accepted_at, decided_at, feedback_token, created_at, updated_at)
     select $1, id, 'invitation', author, author_email, author_email, score, text, lang, date, true, true, accepted, decided, decided, feedback_token,
            written, decided
       from given order by written`,
    [CLIENT, JSON.stringify(rows)],
  );
}
