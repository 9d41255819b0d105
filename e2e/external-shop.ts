import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";

type AddedPage = {
  /** before the page's own script */
  head?: string;
  script?: string;
  body: string;
  /** doesn't require trusted types, which apply to every script element */
  hasStructuredData?: boolean;
};

type ExternalShop = {
  origin: string;
  /** Adds HTML to the page `/own`, as a merchant pastes it. */
  paste: (html: string) => void;
  /** Adds a page with its own script `/{name}.js`, and returns its URL. */
  addPage: (name: string, page: AddedPage) => string;
  close: () => Promise<void>;
};

/** A third-party store page: another origin, with the strictest policy that allows the widget. */
export async function startExternalShop(service: string): Promise<ExternalShop> {
  let pasted = "";
  const pages = new Map<string, AddedPage>();
  const policy = `default-src 'none'; script-src 'self' ${service}; connect-src ${service}; img-src ${service}; style-src 'self' ${service}; frame-src ${service}; base-uri 'none'; form-action 'none'`;
  const trustedTypes = "; require-trusted-types-for 'script'; trusted-types 'none'";
  const style = `
    body { margin: 0; font: 16px/1.5 sans-serif; color: #222; background: #fff; color-scheme: light }
    main { max-width: 60rem; margin: auto; padding: 1rem }
    #candor-badge, #candor-seller, [data-candor=stars] { min-height: 1.5rem }
    #candor-reviews { min-height: 30rem }
    #candor-questions { min-height: 12rem }
    [id^=testfreaks-badge], #testfreaks-seller, .testfreaks-item { display: block; min-height: 1.5rem }
    [id^=testfreaks-reviews] { min-height: 30rem }
    [id^=testfreaks-qa], [data-mode=content], [data-mode=sidebar] { min-height: 12rem }
    ul { padding: 0; list-style: none }
    .testfreaks-section { border: 1px solid #999 }
    .testfreaks-section-loaded { border-color: #060 }
    footer { background: #eee; padding: 4rem }`;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://shop");
    if (pathname === "/style.css") return void response.setHeader("Content-Type", "text/css").end(style);
    const [, name = "", isScript] = /^\/([a-z-]+)(\.js)?$/.exec(pathname) ?? [];
    const added = pages.get(name);
    if (added && isScript) return void response.setHeader("Content-Type", "text/javascript").end(added.script);
    if (added) {
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      response.setHeader("Content-Security-Policy", policy + (added.hasStructuredData ? "" : trustedTypes));
      return void response.end(`<!doctype html>
        <html lang="en"><head><meta charset="utf-8"><title>Lamp</title><link rel="stylesheet" href="/style.css">
        ${added.head ?? ""}${added.script ? `<script src="/${name}.js"></script>` : ""}</head>
        <body><main><h1>Lamp</h1>${added.body}</main><footer>Imprint</footer></body></html>`);
    }
    if (pathname === "/own") {
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      return void response.end(`<!doctype html><html lang="en"><title>Lamp</title><h1>Lamp</h1>${pasted}</html>`);
    }
    if (pathname !== "/") return void response.writeHead(pathname === "/favicon.ico" ? 204 : 404).end();
    const param = (name: string) => encodeURIComponent(searchParams.get(name) ?? "");
    const script = `${service}/onpage/${param("client")}/head.js?lang=${param("lang")}`;
    // Trusted types apply to every script element, so a page that requires them can't have structured data.
    const hasStructuredData = searchParams.has("structured_data");
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.setHeader(
      "Content-Security-Policy",
      `default-src 'none'; script-src ${service}; connect-src ${service}; img-src ${service}; style-src 'self'; base-uri 'none'; form-action 'none'${hasStructuredData ? "" : trustedTypes}`,
    );
    const key = (searchParams.get("key") ?? "").replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    response.end(`<!doctype html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Lamp</title>
      <link rel="stylesheet" href="/style.css">
      <script async src="${script}" data-product-id="${key}" data-load="badge reviews questions seller stars${hasStructuredData ? " structured_data" : ""}"></script>
      </head><body><main><h1>Lamp</h1><div id="candor-badge"></div><p>A lamp.</p><div id="candor-seller"></div>
      <div data-candor="stars" data-product-id="${key}"></div>
      <div id="candor-reviews"></div><div id="candor-questions"></div></main><footer>Imprint</footer></body></html>`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    addPage: (name, page) => {
      pages.set(name, page);
      return `${origin}/${name}`;
    },
    paste: (html) => {
      pasted = html;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Opens a store's page, and records its layout shifts and requests. */
export async function openShopPage(page: Page, address: string) {
  const requestedUrls: string[] = [];
  page.on("request", (request) => requestedUrls.push(request.url()));
  await page.addInitScript(() => {
    Object.assign(window, { moved: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[])
        if (!entry.hadRecentInput) (window as unknown as { moved: number }).moved += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(address);
  return {
    requestedUrls,
    layoutShift: () => page.evaluate(() => (window as unknown as { moved: number }).moved),
  };
}
