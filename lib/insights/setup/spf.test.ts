import { expect, it } from "vitest";
import { spfState } from "@/lib/insights/setup/spf";

const INCLUDE = "_spf.service.example";

/** The state of a record, with TXT records by name (null: the look-up fails), and the names that were looked up. */
async function check(record: string, texts: Record<string, string | null> = {}) {
  const names: string[] = [];
  const state = await spfState(record, INCLUDE, async (name) => {
    names.push(name);
    const text = texts[name];
    return text === null ? null : text === undefined ? [] : ["unrelated", text];
  });
  return { state, names };
}

const chain = (length: number) =>
  Object.fromEntries(
    Array.from({ length }, (_, at) => [
      `n${at}.example`,
      `v=spf1 include:${at === length - 1 ? INCLUDE : `n${at + 1}.example`} -all`,
    ]),
  );

it.each([
  ["v=spf1 include:_spf.service.example ~all", "ok"],
  ["V=SPF1 +Include:_SPF.service.example -all", "ok"],
  ["v=spf1 redirect=_spf.service.example", "ok"],
  ["v=spf1 a mx/24 ip4:192.0.2.1 include:_spf.service.example ?all", "ok"],
  ["v=spf1 mx -all", "incomplete"],
  ["v=spf1 mx +all", "ok"],
  ["v=spf1 all", "ok"],
  ["v=spf1 -all +all", "incomplete"],
  ["v=spf1", "incomplete"],
  // What doesn't pass, or comes after everything else was decided.
  ["v=spf1 ~include:_spf.service.example ?all", "incomplete"],
  ["v=spf1 -all include:_spf.service.example", "incomplete"],
  ["v=spf1 -all redirect=_spf.service.example", "incomplete"],
  ["v=spf1 include:_spf.service.example.evil.example -all", "incomplete"],
])("%s is %s", async (record, state) => {
  expect(await check(record)).toMatchObject({ state });
});

it("follows includes and redirects in their order, and stops at the service's", async () => {
  const texts = {
    "one.example": "v=spf1 ip4:192.0.2.0/24 include:deep.example -all",
    "deep.example": "v=spf1 -all",
    "two.example": "v=spf1 redirect=three.example",
    "three.example": `v=spf1 include:${INCLUDE} ~all`,
    "four.example": "v=spf1 -all",
  };
  const record = "v=spf1 include:one.example include:gone.example include:two.example include:four.example -all";
  expect(await check(record, texts)).toEqual({
    state: "ok",
    names: ["one.example", "deep.example", "gone.example", "two.example", "three.example"],
  });
});

it("counts what receivers look up, ten at most", async () => {
  expect(await check("v=spf1 include:n0.example -all", chain(9))).toMatchObject({ state: "ok" });
  const tooDeep = await check("v=spf1 include:n0.example -all", chain(10));
  expect([tooDeep.state, tooDeep.names.length]).toEqual(["incomplete", 10]);
  expect(await check(`v=spf1 ${"a ".repeat(10)}+all`)).toMatchObject({ state: "ok" });
  expect(await check(`v=spf1 ${"a ".repeat(11)}+all`)).toMatchObject({ state: "incomplete" });
  // These need a look-up each, too; addresses don't.
  const others = "a mx:shop.example ptr exists:%{i}.list.example ip4:192.0.2.1";
  expect(await check(`v=spf1 ${others} include:n0.example -all`, chain(5))).toMatchObject({ state: "ok" });
  expect(await check(`v=spf1 ${others} include:n0.example -all`, chain(6))).toMatchObject({ state: "incomplete" });
  const loop = await check("v=spf1 include:a.example -all", { "a.example": "v=spf1 include:a.example -all" });
  expect([loop.state, loop.names.length]).toEqual(["incomplete", 10]);
  const wide = await check(`v=spf1 ${"include:a.example ".repeat(500)}include:${INCLUDE} -all`);
  expect([wide.state, wide.names.length]).toEqual(["incomplete", 10]);
});

it("accepts the service's own addresses, all of them", async () => {
  const texts = {
    [INCLUDE]: "v=spf1 include:net.example ip6:2001:db8:1::/48 -all",
    "net.example": "v=spf1 ip4:198.51.100.0/24 ip4:203.0.113.7 -all",
    "flat.example": "v=spf1 ip4:198.51.0.0/16 ip6:2001:db8::/32 -all",
  };
  const state = async (record: string) => (await check(record, texts)).state;
  expect(await state("v=spf1 ip4:203.0.113.7/32 include:flat.example -all")).toBe("ok");
  expect(await state("v=spf1 include:net.example -all")).toBe("incomplete");
  expect(await state("v=spf1 ip4:203.0.113.8 include:flat.example -all")).toBe("incomplete");
  expect(await state("v=spf1 ip4:198.51.100.0/25 ip4:203.0.113.7 ip6:2001:db8::/32 -all")).toBe("incomplete");
  expect(await state("v=spf1 -ip4:203.0.113.7 include:flat.example -all")).toBe("incomplete");
  for (const invalid of ["ip4:0.0.0.0/-1", "ip4:0.0.0.0/x", "ip4:::/0", "ip6:0.0.0.0/0", "ip4:"])
    expect(await state(`v=spf1 ${invalid} include:flat.example -all`)).toBe("incomplete");
});

it("calls a record incomplete only if all of it could be read", async () => {
  const record = "v=spf1 include:lost.example include:flat.%{d}.example -all";
  expect(await check(record, { "lost.example": null })).toMatchObject({ state: "unavailable" });
  expect(await check(record)).toMatchObject({ state: "unknown" });
  expect(await check(`${record.slice(0, -4)}include:${INCLUDE} -all`, { "lost.example": null })).toMatchObject({
    state: "ok",
  });
  expect(await check("v=spf1 ip4:192.0.2.1 -all", { [INCLUDE]: null })).toMatchObject({ state: "unavailable" });
});
