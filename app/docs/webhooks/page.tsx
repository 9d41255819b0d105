import type { Metadata } from "next";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import { Wordmark } from "@/components/ui/wordmark";
import { payloads } from "@/lib/integrations/webhooks/payloads";
import { tags } from "@/lib/platform/http/tags";
import { Code, P, Section, Text } from "../_parts";
import { samples } from "./_samples";

export const metadata: Metadata = { title: "Webhooks", robots: { index: true } };

const created = { type: "review.created", timestamp: "2026-03-01T10:15:00.000Z" };

export default function WebhookDocs() {
  return (
    <main lang="en" className="mx-auto max-w-4xl space-y-12 px-4 pt-8 pb-24 sm:px-6">
      <header className="space-y-3">
        <Wordmark large />
        <h1 className="pt-4 text-3xl font-semibold">Webhooks</h1>
        <P>{tags.Webhooks}</P>
        <p className="text-sm">
          <a className="link" href="/docs">
            API documentation
          </a>
          {" · "}
          <a className="link" href="/v1/openapi.json">
            OpenAPI 3.1
          </a>
        </p>
      </header>

      <Section id="create" title="Create a webhook">
        <P>
          In the portal under Integrations, or with the admin command. The secret is shown once. Every event is sent
          unless you select some; `invitation.handed` has to be selected, since it carries a customer's address.
        </P>
        <Code label="Operator">{`npm run -s admin -- webhook create --client shop.example.com --url https://shop.example.com/hooks/candor
npm run -s admin -- webhook rotate wh_… --client shop.example.com`}</Code>
      </Section>

      <Section id="request" title="The request">
        <Code label="POST">{`webhook-id: msg_2m9c4
webhook-timestamp: 1772360100
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=

${JSON.stringify({ ...created, data: payloads["review.created"].example }, null, 2)}`}</Code>
        <P>
          Events carry ids, not texts or addresses: fetch what you need from `data.url`. Answer with any 2xx status
          within 15 seconds; do slow work afterwards.
        </P>
      </Section>

      <Section id="verify" title="Verify the signature">
        <P>
          The signature is `v1,` and the base64 HMAC-SHA256 of `webhook-id.webhook-timestamp.body`, with the base64 part
          of the secret as the key. The header can hold several signatures, separated by spaces: accept the event if one
          matches. Compare the raw body, in constant time, and reject timestamps over five minutes old. A library for
          Standard Webhooks does the same.
        </P>
        {samples.map(({ language, code }) => (
          <Code key={language} label={language}>
            {code}
          </Code>
        ))}
      </Section>

      <Section id="rotate" title="Rotate a secret">
        <P>
          Create a new secret in the portal, with `POST /portal/api/v1/webhooks/&#123;id&#125;/rotate` or the command
          above. For 24 hours both secrets sign, so your receiver accepts every event whichever it knows. Replace it
          within that time.
        </P>
      </Section>

      <Section id="order" title="Order and repeats">
        <P>
          Events about one review, question or invitation arrive in order: the next one is sent when the one before has
          been delivered. Events about different ones can overtake each other. An event can arrive twice: its
          `webhook-id` stays the same, so keep the ids you have handled for a day or more.
        </P>
      </Section>

      <Section id="events" title="Events">
        <Table caption="Events">
          <Heads>
            <Head>Event</Head>
            <Head className="w-full">When</Head>
            <Head>Data</Head>
          </Heads>
          <Rows>
            {Object.entries(payloads).map(([event, { summary, data }]) => (
              <Row key={event}>
                <Cell className="font-mono text-xs whitespace-nowrap">{event}</Cell>
                <Cell className="min-w-48">
                  <Text>{summary}</Text>
                </Cell>
                <Cell className="min-w-48 font-mono text-xs">{Object.keys(data.shape).join(", ")}</Cell>
              </Row>
            ))}
          </Rows>
        </Table>
      </Section>
    </main>
  );
}
