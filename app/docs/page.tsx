import type { Metadata } from "next";
import { publicContracts } from "@/app/_contracts";
import { type ApiDescription, apiDescription } from "@/app/_description";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import { Wordmark } from "@/components/ui/wordmark";
import { publishedLimits } from "@/lib/api/openapi";
import { env } from "@/lib/platform/env";
import { errorStatus } from "@/lib/platform/errors";
import { whenRefused } from "@/lib/platform/http/refusals";
import { tags as chapters } from "@/lib/platform/http/tags";
import { Endpoint } from "./_endpoint";
import { fieldsOf, type Schema } from "./_fields";
import { Code, Fields, P, Path, Section, Text } from "./_parts";

export const metadata: Metadata = { title: "API documentation", robots: { index: true } };

const tags = [...Map.groupBy(publicContracts, ({ tag }) => tag)];

const guide = [
  ["start", "Getting started"],
  ["credentials", "Credentials"],
  ["errors", "Errors"],
  ["lists", "Lists and pages"],
  ["synchronisation", "Keeping a copy"],
  ["moderation", "Moderation"],
  ["elsewhere", "Reviews from elsewhere"],
  ["erasing", "Erasing a person"],
  ["values", "Values"],
  ["repeating", "Repeating a call"],
  ["limits", "Limits"],
  ["public", "From browsers"],
  ["show", "On a product page"],
  ["client", "A typed client"],
] as const;

const limitMeanings: Record<string, string> = {
  management: "Calls of one key or person under `/v1`",
  submission: "Reviews and questions sent to one client from one address",
  feedback: "Votes and reports from one address",
  upload: "Images sent to one client from one address",
  feed: "Feeds of a shop's reviews fetched from one address",
  failed_address: "Wrong credentials from one address",
  failed_user: "Wrong passwords for one user name from one address",
  failed_network: "Wrong passwords for one user name from one network (/24; IPv6 /64)",
  failed_name: "Wrong passwords for one user name from everywhere; a browser that signed in before is not affected",
  failed_code: "Second-factor codes that one person tries, counted by all processes together",
  reset_address: "Links for a forgotten password asked for from one address",
  people_mail: "Mails that one person has sent from the portal to an address they give",
  mail_preview: "Mail templates that one person tries in the portal",
  submission_bytes: "Bodies of reviews and questions from one address, to whichever client",
  upload_bytes: "Bodies with images from one address, to whichever client",
};

const states = [
  ["`true`", "Accepted: published. `accepted_at` says since when."],
  ["`false`", "Rejected: not published. `reject_reason` says why; `unspecified` where nobody did."],
  [
    "`null`",
    "Pending: it waits for moderation, as a new review does unless said otherwise. Setting it hands the review to the client's moderation again: to its rules where it has them, and what those leave open to people.",
  ],
] as const;

/** Calls are plain numbers, as the table's heads read; sizes carry their unit. */
const amount = (count: number, unit: "calls" | "MiB"): string =>
  unit === "calls" ? count.toLocaleString("en") : `${count.toLocaleString("en")} MiB`;

const anchor = (tag: string) => tag.toLowerCase().replaceAll(" ", "-");

export default function Docs() {
  const description = apiDescription("public");
  const origin = env().PUBLIC_URL;
  const resources = Object.entries(description.components?.schemas ?? {}).filter(([name]) =>
    isAnswered(name, description),
  );
  return (
    <div
      lang="en"
      className="mx-auto max-w-6xl px-4 pb-24 sm:px-6 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-12"
    >
      <aside className="hidden lg:block">
        <div className="sticky top-0 max-h-dvh overflow-y-auto py-8">
          <Contents />
        </div>
      </aside>
      <main className="min-w-0 space-y-12 pt-8">
        <header className="space-y-3">
          <Wordmark large />
          <h1 className="pt-4 text-3xl font-semibold">The Candor API</h1>
          <P>
            Shops post orders; Candor asks their customers for reviews, and gives the reviews back. This page tells
            every call of the management interface, of public collection and of display. It is made of the same
            contracts that check each request.
          </P>
          <p className="text-sm">
            For machines:{" "}
            <a className="link" href="/v1/openapi.json">
              OpenAPI 3.1
            </a>
            . Events sent to your systems:{" "}
            <a className="link" href="/docs/webhooks">
              Webhooks
            </a>
          </p>
          <details className="rounded-card border border-line bg-raised px-4 py-3 lg:hidden">
            <summary className="font-medium">Contents</summary>
            <div className="pt-4">
              <Contents />
            </div>
          </details>
        </header>

        <Section id="start" title="Getting started">
          <P>
            You need a client (one store or site) and a secret key. The operator of this installation makes both; the
            key's secret is shown once.
          </P>
          <Code label="Operator">{`npm run -s admin -- client create --id shop.example.com
npm run -s admin -- key create --client shop.example.com --name backend`}</Code>
          <P>Then see what the key reaches, and post a first order:</P>
          <Code label="Terminal">{`export CANDOR_KEY=sk_…

curl ${origin}/v1/clients -H "Authorization: Bearer $CANDOR_KEY"

curl ${origin}/v1/orders -H "Authorization: Bearer $CANDOR_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"order": {"id": "100045",
       "customer": {"id": "c-2071", "name": "Ada Berg", "email": "ada@example.org"},
       "items": [{"id": "LAMP-OAK-S", "delivery_date": "2026-05-08"}]}}'`}</Code>
          <P>
            Some days after the delivery, Ada gets one mail with a link to a form. Her review waits for moderation, and
            shows in `/v1/reviews` at once and on the product page when it is accepted.
          </P>
        </Section>

        <Section id="credentials" title="Credentials">
          <P>Every call under `/v1` takes any one of these:</P>
          <Code label="Four ways">{`# 1. the key as bearer
curl ${origin}/v1/clients -H "Authorization: Bearer $CANDOR_KEY"

# 2. the key as user name, with an empty password
curl ${origin}/v1/clients -u "$CANDOR_KEY:"

# 3. the key in the query (it ends up in logs on its way: prefer a header)
curl "${origin}/v1/clients?token=$CANDOR_KEY"

# 4. a portal login
curl ${origin}/v1/clients -u "ada:her-password"`}</Code>
          <P>
            A header wins over `token`, and a wrong credential is refused even where another would do. A key reaches
            exactly its clients and does what its scopes allow: `read`, `write`, `privacy`. A portal login has the reach
            of the person and, at each client, of the role they have there: `viewer` reads all but personal data
            (addresses and customers are null), `moderator` also decides, `admin` also writes. Who uses a second factor
            cannot call with a password: make a key.
          </P>
          <P>
            Where the caller reaches several clients, `client_id` names the one a call is about. An unknown client and
            somebody else's get the same answer.
          </P>
          <P>
            Public calls (reviews and images sent by visitors) carry `client_id` and the client's public `api_key` in
            the body. That key opens nothing else and may be seen by anybody.
          </P>
        </Section>

        <Section id="errors" title="Errors">
          <P>
            Every error has one form. All issues of a request are listed at once; `field` says where, or is null. A
            refused request has changed nothing.
          </P>
          <Code label="422">
            {JSON.stringify(
              {
                errors: [
                  { code: "invalid_field", message: "order.customer.id is required.", field: "order.customer.id" },
                  {
                    code: "invalid_field",
                    message: "order.items[0].delivery_date must be a date, YYYY-MM-DD.",
                    field: "order.items[0].delivery_date",
                  },
                ],
              },
              null,
              2,
            )}
          </Code>
          <Table caption="Error codes">
            <Heads>
              <Head>Status</Head>
              <Head>Code</Head>
              <Head className="w-full">When</Head>
            </Heads>
            <Rows>
              {Object.entries(whenRefused).map(([code, when]) => (
                <Row key={code}>
                  <Cell className="figures">{errorStatus[code as keyof typeof errorStatus]}</Cell>
                  <Cell className="font-mono text-xs whitespace-nowrap">{code}</Cell>
                  <Cell className="min-w-64">
                    <Text>{when}</Text>
                  </Cell>
                </Row>
              ))}
            </Rows>
          </Table>
          <P>
            Public submissions answer `invalid_field` with 406 instead of 422. Every answer carries `X-Request-Id`; it
            finds the request in the log.
          </P>
        </Section>

        <Section id="lists" title="Lists and pages">
          <P>
            A list is `data` and `links`. `limit` sets the rows a page: 100 unless said, 1000 at most. `links.next` is
            the address of the next page with all your filters; on the last page it is absent. The cursor in it is
            opaque and belongs to its list; credentials never are in it.
          </P>
          <P>
            Rows come oldest first, products and summaries by id. A pass ends at the newest row of the moment it began,
            however much is written meanwhile; it never skips a row that was there all the time. The last page costs
            what the first does. Go on until there is no `links.next`, not until a page is short: where filters leave
            out nearly everything, a page may hold few rows, or none.
          </P>
        </Section>

        <Section id="synchronisation" title="Keeping a copy">
          <P>
            Fetch all reviews once. Then come back with `updated_after` set to the time your last fetch began, or to the
            latest `updated_at` you have seen: both are safe. An older time is always safe too. You get every review
            changed since then, in the order of the changes, and those of the five seconds before, since a write may
            have been under way while you read. Replace what you hold by id.
          </P>
          <P>
            While you page through a full list, a review that changes meanwhile tells the beginning of your pass as its
            `updated_at`, so that the latest one you see never runs ahead of what you have read. While you page with
            `updated_after`, a review that changes meanwhile may leave the pass; it comes with the next one.
          </P>
          <P>
            Daily is a good rhythm; a full fetch once a week shows what was deleted: whatever you hold that it does not
            bring. Seller reviews and questions are kept in the same way.
          </P>
          <Code label="Shell">{`next="${origin}/v1/reviews?limit=1000&updated_after=2026-05-20T00:00:00Z"
while [ -n "$next" ]; do
  page=$(curl -s "$next" -H "Authorization: Bearer $CANDOR_KEY")
  echo "$page" | jq -c '.data[]'
  next=$(echo "$page" | jq -r '.links.next // empty')
done`}</Code>
        </Section>

        <Section id="moderation" title="Moderation">
          <P>
            `accepted` of a review is its state. A post and a put move it from any state to any other; one that leaves
            `accepted` out leaves the state alone.
          </P>
          <Table caption="States of a review">
            <Heads>
              <Head>State</Head>
              <Head className="w-full">Means</Head>
            </Heads>
            <Rows>
              {states.map(([accepted, meaning]) => (
                <Row key={accepted}>
                  <Cell>
                    <Text>{accepted}</Text>
                  </Cell>
                  <Cell>
                    <Text>{meaning}</Text>
                  </Cell>
                </Row>
              ))}
            </Rows>
          </Table>
          <P>
            Who decided what, when and why, and what an edit replaced, is kept in a history that nobody can rewrite.
            Summaries and display follow in the same transaction. Asking for what is so already changes nothing.
          </P>
        </Section>

        <Section id="elsewhere" title="Reviews from elsewhere">
          <P>
            `POST /v1/reviews` takes reviews that were written before Candor, or beside it. Nobody is mailed or invited
            for it. Give each its `external_id`: posted again it is updated, and what the second post leaves out stays.
            So a run that broke off is simply run again.
          </P>
          <P>
            A new review needs `author`, `score` and `order.item`, by `id` or by `family_id` alone. With `order.id` and
            `order.customer` its author is a verified buyer, and the order is stored with that item, as `POST
            /v1/orders` would store it. An update changes only what it names; `order.item.category` alone, for example.
          </P>
          <P>
            `images` and `custom_questions` replace what was there. Upload images first; a token is used up by the
            review that names it, and stays valid for that one.
          </P>
        </Section>

        <Section id="erasing" title="Erasing a person">
          <P>
            `GET /v1/personal_data` tells what is stored about a customer id or an address, and `POST
            /v1/personal_data/delete` removes it. By id it is that customer's, and what without a customer carries one
            of their present or past addresses. By address it is everything with the address, all customers who have or
            had it, and theirs.
          </P>
          <P>
            What is little goes within the call, which answers 204. Where it is much, 202 comes first and the removal
            runs on by itself; repeat the call until it answers 204. It goes on after a crash, and any number of calls
            at once do no harm.
          </P>
          <Code label="Shell">{`until [ "$(curl -s -o /dev/null -w '%{http_code}' ${origin}/v1/personal_data/delete \\
  -H "Authorization: Bearer $CANDOR_KEY" -H 'Content-Type: application/json' \\
  -d '{"client_id": "shop.example.com", "customer_id": "c-2071"}')" = 204 ]; do sleep 5; done`}</Code>
          <P>
            Customer, orders and items, reviews, seller reviews, questions with their answers, replies, votes and
            images, invitations and mails go, and every copy: kept answers to repeated requests, queued work,
            deliveries, reports, texts in the history. Summaries and display follow at once. What stays tells nobody who
            it was: the history's rules, times and transitions, an audit entry, and keyed hashes by which an opt-out and
            a running quarantine go on to hold, and no feed or connected system brings back what went.
          </P>
          <P>
            What arrives about the person while a removal runs goes with it or stays, never in part; what arrives after
            204 stays, but for orders of a connected shop that were placed before: those are not taken any more. A mail
            that was being handed to the mail service at that moment may still arrive; none follows it. Images that were
            uploaded and never used belong to nobody, and go a day after their upload.
          </P>
        </Section>

        <Section id="values" title="Values">
          <ul className="max-w-[68ch] list-disc space-y-1.5 pl-5">
            {[
              "Times are UTC in whole seconds, `2026-05-20T07:12:45Z`; dates are `2026-05-20`. A date as a filter means its midnight, UTC.",
              "Unset is `null`; documented keys are never left out, except the statistics of a family without reviews and `links.next`.",
              "Unknown members of a body are ignored. Ids compare exactly; e-mail addresses without regard to capitals and outer blanks.",
              "Averages are rounded once, to two decimals.",
              "Text is counted in characters: an emoji is one. The character NUL, half surrogate pairs and nesting beyond 100 levels are refused.",
              "Bodies are UTF-8 JSON of at most 1 MiB, uploads at most 10 MiB.",
              "Answers may gain members; do not rely on what is not told here.",
            ].map((line) => (
              <li key={line}>
                <Text>{line}</Text>
              </li>
            ))}
          </ul>
        </Section>

        <Section id="repeating" title="Repeating a call">
          <P>
            When the answer to a POST under `/v1` is lost, nobody knows whether it was done. Send it with an
            `Idempotency-Key`, a name of your own for this one request (1 to 255 visible ASCII characters, such as a
            UUID), and send it again as often as you like: for 24 hours the same key with the same request gets the
            answer that was given then, with `Idempotent-Replayed: true`, and nothing is done twice. The answer is kept
            in the same transaction as what it tells of; a crash leaves both or neither.
          </P>
          <Code label="Terminal">{`curl ${origin}/v1/orders -H "Authorization: Bearer $CANDOR_KEY" \\
  -H 'Content-Type: application/json' -H 'Idempotency-Key: 8e03978e-40d5-43dd-bc93-6894a57f9324' \\
  -d '{"order": {"id": "100045", "customer": {"id": "c-2071"}}}'`}</Code>
          <P>
            The same key with another body or address is refused with 422 `idempotency_key_reused`; while the first
            request is still being answered, with 409 and `Retry-After`. A refusal has done nothing and is not kept, so
            a key is free again after one; neither is 202, which you repeat to follow the work. Keys belong to the
            caller (an API key or a person), for each client apart. On other methods the header means nothing: they may
            be repeated anyway. What is kept of a person goes when that person is erased.
          </P>
        </Section>

        <Section id="limits" title="Limits">
          <P>
            Each limit is a bucket: so many at once, filled again at a steady rate. `RateLimit-Limit`,
            `RateLimit-Remaining` and `RateLimit-Reset` tell what is left, and so do `RateLimit` and `RateLimit-Policy`,
            their successors; beyond it comes 429 with `Retry-After`. The operator may scale them, and where several
            server processes run, each counts for itself.
          </P>
          <Table caption="Rate limits">
            <Heads>
              <Head className="w-full">Of</Head>
              <Head>At once</Head>
              <Head>Filled at</Head>
            </Heads>
            <Rows>
              {publishedLimits.map(({ name, unit, burst, perSecond }) => (
                <Row key={name}>
                  <Cell className="min-w-48">
                    <Text>{limitMeanings[name] ?? name}</Text>
                  </Cell>
                  <Cell className="figures whitespace-nowrap">{amount(burst, unit)}</Cell>
                  <Cell className="figures whitespace-nowrap">
                    {perSecond >= 1
                      ? `${amount(perSecond, unit)} a second`
                      : `${Math.round(perSecond * 600)} in 10 minutes`}
                  </Cell>
                </Row>
              ))}
            </Rows>
          </Table>
        </Section>

        <Section id="public" title="From browsers">
          <P>
            Collection and display answer with `Access-Control-Allow-Origin: *`, and preflights are answered. A client
            may list the origins its submissions come from; a submission from another is refused with 403, one from a
            server (without `Origin`) passes.
          </P>
          <P>
            Upload images first, then place each answer unchanged in `images` of the submission within 24 hours. The
            same submission within a minute is stored once.
          </P>
        </Section>

        <Section id="show" title="On a product page">
          <P>
            Begin with the summary of the product, `GET /onpage/&#123;client_id&#125;/reviews.json?key=`, and take the
            addresses of its reviews and questions from it. Add `sort`, `score`, `lang`, `with_photos` or `verified` to
            that of the reviews, and follow `next_page_url` while there is one. A page that lists products asks for all
            their ratings at once.
          </P>
          <P>
            Answers may be kept for ten seconds, and shown for a minute more while they are fetched anew. Each has a
            strong `ETag`, and the service itself never answers with less than the last change. Nothing sets a cookie,
            and nothing tells of authors what they did not publish.
          </P>
        </Section>

        <Section id="client" title="A typed client">
          <P>
            Candor's source holds a client for TypeScript in the folder `lib/tools/api-client`: copy it, and install
            `openapi-fetch`. Its types are made of this description (by `npm run check`, into `generated/api.ts`); for
            the version that you call, make them anew:
          </P>
          <Code label="Terminal">{`npx -p openapi-typescript -p typescript@5 \\
  openapi-typescript ${origin}/v1/openapi.json --default-non-nullable=false -o candor/generated/api.ts`}</Code>
          <Code label="TypeScript">{`import { answered, createCandorClient, everyRow } from "./candor/client.ts";

const candor = createCandorClient({ origin: "${origin}", key: process.env.CANDOR_KEY! });

const { data } = await answered(candor.POST("/v1/orders", {
  body: { order: { id: "100045", customer: { id: "c-2071" }, items: [{ id: "LAMP-OAK-S" }] } },
}));

for await (const review of everyRow(candor, "/v1/reviews", { moderation_status: "pending" }))
  console.log(review.author, review.score);`}</Code>
          <P>
            It waits when it is told to (429, 503) and tries again. `examples/synchronize.ts` keeps a copy of the
            reviews in a file, as told above; Node 24 runs it as it is.
          </P>
        </Section>

        {tags.map(([tag, contracts]) => (
          <Section key={tag} id={anchor(tag)} title={tag}>
            <P>{chapters[tag]}</P>
            <div className="space-y-10">
              {contracts.map((contract) => (
                <Endpoint key={contract.id} contract={contract} description={description} origin={origin} />
              ))}
            </div>
          </Section>
        ))}

        <Section id="resources" title="Resources">
          <P>What answers are made of.</P>
          {resources.map(([name, schema]) => (
            <div key={name} id={name} className="scroll-mt-6 space-y-3 pt-4">
              <h3 className="text-base font-semibold">{name}</h3>
              <Fields caption={`Fields of ${name}`} fields={fieldsOf(schema as Schema, description)} required={false} />
            </div>
          ))}
        </Section>
      </main>
    </div>
  );
}

/** Whether a schema is part of an answer; the fields of a body are told where it is sent. */
function isAnswered(name: string, { paths, components }: ApiDescription): boolean {
  const answers = Object.values(paths ?? {}).flatMap((item) =>
    Object.values(item as Record<string, { responses: unknown }>).map(({ responses }) => responses),
  );
  return JSON.stringify([answers, components?.schemas]).includes(`"#/components/schemas/${name}"`);
}

/** The table of contents. */
function Contents() {
  return (
    <nav aria-label="Contents" className="space-y-5 text-sm">
      <ul className="space-y-1.5">
        {guide.map(([id, title]) => (
          <li key={id}>
            <a href={`#${id}`} className="text-muted hover:text-ink">
              {title}
            </a>
          </li>
        ))}
      </ul>
      {tags.map(([tag, contracts]) => (
        <div key={tag} className="space-y-1.5">
          <a href={`#${anchor(tag)}`} className="font-medium">
            {tag}
          </a>
          <ul className="space-y-1.5">
            {contracts.map(({ id, method, path }) => (
              <li key={id}>
                <a href={`#${id}`} className="block font-mono text-xs break-words text-muted hover:text-ink">
                  {method} <Path>{path}</Path>
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <a href="#resources" className="font-medium">
        Resources
      </a>
    </nav>
  );
}
