import type { Metadata } from "next";
import { Reference } from "./_reference";

export const metadata: Metadata = { title: "API reference" };

export default function ApiReferencePage() {
  return (
    <main>
      <Reference />
      <noscript>
        <p className="mx-auto max-w-2xl p-6">
          The API reference needs JavaScript. Without it, read the{" "}
          <a className="link" href="/docs/guides">
            guides
          </a>{" "}
          and the{" "}
          <a className="link" href="/v1/openapi.json">
            OpenAPI description
          </a>
          .
        </p>
      </noscript>
    </main>
  );
}
