import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { publicContracts } from "@/app/_contracts";
import Docs from "@/app/docs/page";

// The page reads settings, and asks no database.
vi.hoisted(() => {
  process.env.DATABASE_URL = "postgres://nobody@127.0.0.1:1/none";
});

const html = renderToStaticMarkup(<Docs />);

describe("/docs", () => {
  it("tells every endpoint, and leads to nothing that is not there", () => {
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const { id } of publicContracts) expect(ids).toContain(id);
    for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
    expect([...html.matchAll(/ id="([^"]+)"/g)]).toHaveLength(ids.size);
    expect([...ids].filter((id) => id?.includes(" "))).toEqual([]);
  });

  it("lets paths break between their parts only, and reads and copies them whole", () => {
    const [, side] = /<nav[^>]*aria-label="Contents"[^>]*>(.*?)<\/nav>/s.exec(html) ?? [];
    expect(side).toContain("POST <wbr/>/v1<wbr/>/personal_data<wbr/>/delete</a>");
    expect(side).not.toContain("break-all");
    const told = side?.replaceAll("<wbr/>", "");
    for (const { method, path } of publicContracts) expect(told).toContain(`>${method} ${path}</a>`);
  });

  it("needs nobody else's server", () => {
    expect(
      [...html.matchAll(/(?:src|href)="([^"]+)"/g)]
        .map(([, address]) => address)
        .filter((address) => !/^(#|\/)/.test(address as string)),
    ).toEqual([]);
  });

  it("leaves no mark-up of its sources in the text", () => {
    const text = html.replace(/<pre[\s\S]*?<\/pre>/g, "").replace(/<[^>]+>/g, " ");
    expect(text).not.toMatch(/`|undefined|\[object/);
  });

  it("says what every field means", () => {
    const silent = [
      ...html.matchAll(/<tr[^>]*><td[^>]*>([\w.[\]]+)<\/td><td[^>]*>(?:(?!<\/t[dr]>).)*<\/td><td[^>]*><\/td><\/tr>/g),
    ].map(([, path]) => path);
    expect(silent).toEqual([]);
  });
});
