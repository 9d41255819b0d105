import { expect, it } from "vitest";
import {
  isSenderOk,
  mailServiceOf,
  type SpfState,
  senderRecords,
  stepsOf,
  type TxtRecords,
} from "@/lib/insights/setup/rules";
import { type SetupStepName, setupSteps } from "@/lib/insights/setup/values";

const none = Object.fromEntries(setupSteps.map((name) => [name, false])) as Record<SetupStepName, boolean>;

it("counts a skipped step only if it may be skipped and isn't done", () => {
  const steps = stepsOf({ ...none, people: true }, ["people", "import", "products"]);
  expect(steps.filter(({ skipped }) => skipped).map(({ name }) => name)).toEqual(["import"]);
  expect(steps.map(({ name }) => name)).toEqual(setupSteps);
});

const RESEND = mailServiceOf({ RESEND_API_KEY: "re_1" });
const GOOGLE = mailServiceOf({ SMTP_URL: "smtps://me:secret@smtp.gmail.com" });
const OTHER = mailServiceOf({ SMTP_URL: "smtp://mail.shop.example:25" });

const records = (given: Record<string, string[] | null>): TxtRecords =>
  new Map(
    [
      "shop.example",
      "send.shop.example",
      "resend._domainkey.shop.example",
      "google._domainkey.shop.example",
      "_dmarc.shop.example",
      "_dmarc.news.shop.example",
      "news.shop.example",
    ].map((name) => [name, given[name] === undefined ? [] : given[name]]),
  );
const states = (...given: Parameters<typeof senderRecords>) =>
  senderRecords(...given).map(({ kind, name, state }) => [kind, name, state]);

it("knows where Resend's records belong", () => {
  const complete = {
    "send.shop.example": ["v=spf1 include:amazonses.com ~all"],
    "resend._domainkey.shop.example": ["p=MIGfMA0"],
    "_dmarc.shop.example": ["v=DMARC1; p=none;"],
  };
  const found = senderRecords("shop.example", RESEND, records(complete), "ok");
  expect(found.map(({ state }) => state)).toEqual(["ok", "ok", "ok"]);
  expect(isSenderOk(found)).toBe(true);
  expect(senderRecords("shop.example", RESEND, records({}), null)).toEqual([
    {
      kind: "spf",
      name: "send.shop.example",
      state: "missing",
      found: null,
      suggested: "v=spf1 include:amazonses.com ~all",
    },
    { kind: "dkim", name: "resend._domainkey.shop.example", state: "missing", found: null, suggested: null },
    { kind: "dmarc", name: "_dmarc.shop.example", state: "missing", found: null, suggested: "v=DMARC1; p=none" },
  ]);
});

it("completes an SPF record without the service, and never suggests a second one", () => {
  const spf = (texts: string[], state: SpfState = "incomplete") =>
    senderRecords("shop.example", GOOGLE, records({ "shop.example": texts }), state)[0];
  expect(spf(["google-site-verification=x", "V=SPF1 mx -all"])).toMatchObject({
    state: "incomplete",
    suggested: "V=SPF1 include:_spf.google.com mx -all",
  });
  expect(spf(["v=spf1 mx ?include:_spf.google.com -all"])).toMatchObject({
    suggested: "v=spf1 include:_spf.google.com mx -all",
  });
  for (const state of ["ok", "unknown", "unavailable"] as const)
    expect(spf(["v=spf1 mx -all"], state)).toMatchObject({ state, found: "v=spf1 mx -all", suggested: null });
  expect(spf([`v=spf1 ${"ip4:192.0.2.1 ".repeat(40)}-all`])).toMatchObject({ state: "incomplete", suggested: null });
  expect(spf(["v=spf1 mx", "v=spf1 include:_spf.google.com"])).toMatchObject({ state: "several", suggested: null });
  expect(spf(["v=spf10"])).toMatchObject({ state: "missing" });
});

it("can't know the keys of a service that isn't listed, nor what its SPF record contains", () => {
  const given = { "shop.example": ["v=spf1 a -all"], "_dmarc.shop.example": ["v=DMARC1;p=reject"] };
  expect(states("shop.example", OTHER, records(given), null)).toEqual([
    ["spf", "shop.example", "unknown"],
    ["dkim", "*._domainkey.shop.example", "unknown"],
    ["dmarc", "_dmarc.shop.example", "ok"],
  ]);
  expect(isSenderOk(senderRecords("shop.example", OTHER, records(given), null))).toBe(true);
});

it("takes a revoked key as missing, and a parent's policy as the subdomain's", () => {
  const given = { "resend._domainkey.shop.example": ["v=DKIM1; p="], "_dmarc.shop.example": ["v=DMARC1; p=none"] };
  expect(states("shop.example", RESEND, records(given), null)[1]?.[2]).toBe("missing");
  expect(states("news.shop.example", OTHER, records(given), null)[2]).toEqual(["dmarc", "_dmarc.shop.example", "ok"]);
});

it("doesn't call a record missing if the look-up failed", () => {
  const given = { "shop.example": null, "google._domainkey.shop.example": null, "_dmarc.shop.example": null };
  const found = senderRecords("shop.example", GOOGLE, records(given), null);
  expect(found.map(({ state }) => state)).toEqual(["unavailable", "unavailable", "unavailable"]);
  expect(isSenderOk(found)).toBe(false);
});
