import { headers } from "next/headers";
import type { ReactNode } from "react";
import { env } from "@/lib/platform/env";
import { POLICY_HEADER } from "@/lib/platform/http/page-headers";

type Props = { client: string; name: string; load: string; product?: string; children: ReactNode };

/** A page of the demo store: header, footer and the widget's script as any store embeds it. */
export async function Frame({ client, name, load, product, children }: Props) {
  // Our own pages allow scripts by nonce; another store would allow this server's origin in its policy.
  const nonce = /'nonce-([^']+)'/.exec((await headers()).get(POLICY_HEADER) ?? "")?.[1];
  return (
    <div lang="en" className="mx-auto flex min-h-dvh max-w-6xl flex-col px-4 sm:px-8">
      <script
        async
        nonce={nonce}
        src={`${env().PUBLIC_URL}/onpage/${client}/head.js`}
        data-load={load}
        data-product-id={product}
      />
      <header className="flex flex-wrap items-center justify-between gap-x-8 gap-y-2 border-b py-6">
        <a href="/demo-shop" className="text-xl font-semibold">
          {name}
        </a>
        <div id="candor-seller" className="min-h-6 text-sm" />
      </header>
      <main className="grow py-8 sm:py-12">{children}</main>
      <footer className="border-t py-8 text-sm text-muted">
        <p>
          This is a demo store. Its reviews are shown by Candor’s widget and managed in the{" "}
          <a href="/portal" className="link">
            portal
          </a>
          .
        </p>
      </footer>
    </div>
  );
}

export const euro = (price: number): string =>
  new Intl.NumberFormat("en", { style: "currency", currency: "EUR" }).format(price);
