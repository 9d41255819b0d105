import type { ApiDescription } from "@/app/_description";
import { Badge, type Tone } from "@/components/ui/badge";
import type { Contract, Example } from "@/lib/platform/http/contract";
import { refusalsOf } from "@/lib/platform/http/refusals";
import { fieldsOf, resourceOf, type Schema } from "./_fields";
import { Code, Fields, Path, Text } from "./_parts";

type Operation = {
  parameters?: { in: string; name: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
};

const tones: Record<string, Tone> = { GET: "accent", POST: "good", PUT: "warn", DELETE: "bad" };

const callers: Record<Contract["auth"], string> = {
  management: "API key or portal login",
  session: "portal session",
  public_key: "public key in the body",
  public: "anybody",
};

/** One endpoint: what it is for, what it takes, answers and refuses, and what a call looks like. */
export function Endpoint({
  contract,
  description,
  origin,
}: {
  contract: Contract;
  description: ApiDescription;
  origin: string;
}) {
  const { example = {} } = contract;
  const item = description.paths?.[contract.path] as Record<string, Operation> | undefined;
  const operation = item?.[contract.method.toLowerCase()];
  if (!operation) throw new Error(`The description lacks ${contract.id}.`);
  const parameters = (operation.parameters ?? []).map(({ in: place, name, required, description: told, schema }) => ({
    ...(fieldsOf(
      { properties: { [name]: { ...schema, description: place === "header" ? `A header. ${told}` : told } } },
      description,
    )[0] as ReturnType<typeof fieldsOf>[number]),
    required: required ?? false,
  }));
  const [bodyType, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const statuses = [contract.status, ...Object.keys(contract.alternatives ?? {}).map(Number)];
  const name = `${contract.method} ${contract.path}`;
  return (
    <article id={contract.id} aria-labelledby={`${contract.id}-title`} className="scroll-mt-6 space-y-4 pt-4">
      <header className="space-y-1.5">
        <h3 id={`${contract.id}-title`} className="flex flex-wrap items-center gap-2 text-base font-semibold">
          <Badge tone={tones[contract.method]}>{contract.method}</Badge>
          <code className="min-w-0 font-mono break-words">
            <Path>{contract.path}</Path>
          </code>
        </h3>
        <p className="max-w-[68ch]">
          <Text>{`${contract.summary}. ${contract.description ?? ""}`}</Text>
        </p>
        <p className="text-sm text-muted">{access(contract)}</p>
      </header>
      {parameters.length > 0 ? <Fields caption={`Parameters of ${name}`} fields={parameters} required /> : null}
      {body && bodyType ? (
        <>
          <h4 className="text-sm font-medium">
            Body, <Text>{`\`${bodyType}\``}</Text>
          </h4>
          <Fields caption={`Body of ${name}`} fields={fieldsOf(body.schema, description)} required />
        </>
      ) : null}
      <Code label="Request">{curl(contract, example, origin)}</Code>
      {statuses.map((status) => {
        const shown = status === contract.status ? example.answer : example.others?.[status];
        const schema = Object.values(operation.responses[status]?.content ?? {})[0]?.schema;
        return (
          <div key={status} className="space-y-2">
            {shown === undefined ? null : <Code label={`Answer, ${status}`}>{JSON.stringify(shown, null, 2)}</Code>}
            <p className="text-sm">
              <Answer status={status} schema={schema} />
            </p>
          </div>
        );
      })}
      <details className="text-sm">
        <summary className="w-fit text-muted">Errors</summary>
        <ul className="mt-2 space-y-1.5">
          {refusalsOf(contract).map(({ status, code, when }) => (
            <li key={code} className="max-w-[80ch]">
              <Text>{`${status} \`${code}\` ${when}`}</Text>
            </li>
          ))}
        </ul>
      </details>
    </article>
  );
}

function access(contract: Contract): string {
  const parts = [`Called with: ${callers[contract.auth]}`];
  if (contract.auth === "management") parts.push(`scope ${contract.scope}, or role ${contract.role} and above`);
  if (contract.limit !== "none") parts.push(`limit: ${contract.limit}`);
  return `${parts.join(" · ")}.`;
}

/** Where the fields of the answer are told. */
function Answer({ status, schema }: { status: number; schema: Schema | undefined }) {
  if (!schema) return <>Answers {status} without JSON.</>;
  const data = schema.properties?.data ?? schema.properties?.reviews;
  const inner = (data ?? schema).items ?? data ?? schema;
  const names = [inner, ...(inner.anyOf ?? [])].flatMap(({ $ref }) => ($ref ? [resourceOf($ref)] : []));
  if (names.length === 0) return <>Answers {status} with what the example shows.</>;
  return (
    <>
      Answers {status} with {data ? (data.items ? "a list of " : "one ") : ""}
      {names.map((resource, index) => (
        <span key={resource}>
          {index > 0 ? " or " : ""}
          <a className="link" href={`#${resource}`}>
            {resource}
          </a>
        </span>
      ))}
      <Text>{schema.properties?.links ? ", and the address of the next page in `links.next`." : "."}</Text>
    </>
  );
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The call as it is typed into a terminal. */
function curl(contract: Contract, { params = {}, query, body }: Example, origin: string): string {
  const path = contract.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const address = `${origin}${path}${query ? `?${query}` : ""}`;
  const lines = [`curl ${contract.method === "GET" ? "" : `-X ${contract.method} `}${quoted(address)}`];
  if (contract.auth === "management") lines.push('-H "Authorization: Bearer $CANDOR_KEY"');
  if (contract.accepts === "json") {
    lines.push("-H 'Content-Type: application/json'");
    lines.push(`-d ${quoted(JSON.stringify(body, null, 2))}`);
  }
  if (contract.accepts === "form")
    for (const [name, value] of Object.entries((body ?? {}) as Record<string, string>))
      lines.push(`--data-urlencode ${quoted(`${name}=${value}`)}`);
  if (contract.accepts === "multipart")
    lines.push("-F client_id=shop.example.com", "-F api_key=pk_0f3a…", "-F file=@photo.jpg");
  return lines.join(" \\\n  ");
}
