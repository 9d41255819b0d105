import { afterEach, describe, expect, it, vi } from "vitest";
import type { setContractContract } from "@/lib/accounts/contract";
import { call, codeOf, issueOf, isUnavailable, messageOf, translateIssues } from "@/lib/platform/http/client";
import { PERSON_HEADER } from "@/lib/platform/http/values";
import { english } from "@/lib/platform/i18n/english";

const callWithResponse = (status: number, body: unknown, lang?: string) => {
  if (lang) vi.stubGlobal("document", { documentElement: { lang }, querySelector: () => null });
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(body), { status }));
  return call<typeof setContractContract>("PUT /portal/api/v1/clients/{id}/contract", {
    params: { id: "shop" },
    body: { contract_send_limit: 1 },
  }).then(
    () => null,
    (error: unknown) => error,
  );
};
afterEach(() => vi.unstubAllGlobals());

it("treats a truncated response as no response", async () => {
  const broken = new ReadableStream({ pull: (body) => body.error(new TypeError("terminated")) });
  vi.stubGlobal("fetch", async () => new Response(broken));
  const ended = await call<typeof setContractContract>("PUT /portal/api/v1/clients/{id}/contract", {
    params: { id: "shop" },
    body: { contract_send_limit: 1 },
  }).catch((error: unknown) => error);
  expect(isUnavailable(ended)).toBe(true);
});

describe("a failed call", () => {
  const missing = {
    errors: [
      {
        code: "not_found",
        message: "This feed doesn’t exist or has been removed.",
        field: null,
        reason: "feed_not_found",
        params: {},
      },
    ],
  };
  const wrong = {
    errors: [
      {
        code: "invalid_field",
        message: "url must not be empty.",
        field: "url",
        reason: "empty",
        params: {},
      },
      {
        code: "invalid_field",
        message: "mapping must contain at most 50 fields.",
        field: "mapping",
        reason: "too_many_fields",
        params: { max: 50 },
      },
    ],
  };

  it("uses the server's messages, without field names in issues", async () => {
    const error = await callWithResponse(422, wrong);
    expect([codeOf(error), messageOf(error, english)]).toEqual(["invalid_field", "URL: It must not be empty."]);
    expect(issueOf(error, "url")).toBe("It must not be empty.");
    expect(messageOf(await callWithResponse(404, missing, "en"), english)).toBe(
      "This feed doesn’t exist or has been removed.",
    );
  });

  it("translates messages to the page's language, keeping code and fields", async () => {
    expect(messageOf(await callWithResponse(404, missing, "de"), english)).toBe(
      "Dieser Feed existiert nicht oder wurde entfernt.",
    );
    const error = await callWithResponse(422, wrong, "es");
    expect([codeOf(error), messageOf(error, english)]).toEqual([
      "invalid_field",
      "URL: Este campo no puede estar vacío.",
    ]);
    expect([issueOf(error, "url"), issueOf(error, "mapping")]).toEqual([
      "Este campo no puede estar vacío.",
      "Como máximo 50 campos.",
    ]);
  });

  it("uses readable field names, including nested ones", async () => {
    const deep = [
      ["items[0].sku", "Items (1), SKU: It must not be empty.", "Artiklar (1), SKU: Fältet får inte vara tomt."],
      [
        "order.customer.email",
        "Customer, Email address: It must not be empty.",
        "Kund, E-postadress: Fältet får inte vara tomt.",
      ],
      ["settings.page_size", "Page size: It must not be empty.", "Sidstorlek: Fältet får inte vara tomt."],
      [
        "config.templates.de.subject",
        "Templates, German, Subject: It must not be empty.",
        "Mallar, Tyska, Ämne: Fältet får inte vara tomt.",
      ],
      // A field without a name in the messages.
      ["settings.odd_thing", "Odd thing: It must not be empty.", "Odd thing: Fältet får inte vara tomt."],
    ] as const;
    for (const [field, inEnglish, swedish] of deep) {
      const errors = [
        { code: "invalid_field", message: `${field} must not be empty.`, field, reason: "empty", params: {} },
      ];
      expect(messageOf(await callWithResponse(422, { errors }, "en"), english)).toBe(inEnglish);
      expect(messageOf(await callWithResponse(422, { errors }, "sv"), english)).toBe(swedish);
    }
    // A specific message already names its subject.
    const usernameTaken = {
      code: "conflict",
      message: "The username anna is already taken.",
      field: "username",
      reason: "username_taken",
      params: { name: "anna" },
    };
    expect(messageOf(await callWithResponse(409, { errors: [usernameTaken] }, "en"), english)).toBe(
      "The username anna is already taken.",
    );
  });

  it("uses the status if the body isn't from the API", async () => {
    const issue = { code: "not_found", message: "Gone.", field: null };
    const odd = [
      ...[null, {}, "no healthy upstream", { 0: issue, length: 1 }].map((errors) => ({ errors })),
      ...[null, "down", 7, [], {}].map((one) => ({ errors: [one] })),
      { errors: [issue, null] },
      ...["constructor", "toString", 404, undefined].map((code) => ({ errors: [{ ...issue, code }] })),
      ...[undefined, 7, ["a"]].map((field) => ({ errors: [{ ...issue, field }] })),
      { errors: [{ ...issue, message: { text: "Gone." } }] },
      { errors: [] },
    ];
    for (const body of [...odd, { message: "no healthy upstream" }, null, 7, "bad gateway"]) {
      expect(isUnavailable(await callWithResponse(503, body))).toBe(true);
      expect(codeOf(await callWithResponse(404, body))).toBe("internal");
    }
  });

  it("translates issues found by the page like those of the server", async () => {
    const found = { field: "order", reason: "too_long", params: { max: 255 } } as const;
    expect(await translateIssues([found])).toEqual([
      { field: "order", message: "It must be at most 255 characters long." },
    ]);
  });

  it("falls back to English without a translation", async () => {
    const odd = {
      errors: [{ code: "conflict", message: "url must be odd.", field: "url" }],
    };
    // An older server sends no reason; a newer one may send a reason or parameters unknown to this page.
    for (const more of [{}, { reason: "odd", params: {} }, { reason: "too_long", params: {} }]) {
      const errors = [{ ...odd.errors[0], ...more }];
      expect(messageOf(await callWithResponse(409, { errors }, "de"), english)).toBe("URL: url must be odd.");
    }
    expect(messageOf(await callWithResponse(404, missing, "fi"), english)).toBe(
      "This feed doesn’t exist or has been removed.",
    );
  });
});

it("sends the id of the person the page was rendered for", async () => {
  const sent: Headers[] = [];
  vi.stubGlobal("fetch", async (_url: string, { headers }: { headers: Record<string, string> }) => {
    sent.push(new Headers(headers));
    return new Response("{}");
  });
  const sendCall = () =>
    call<typeof setContractContract>("PUT /portal/api/v1/clients/{id}/contract", {
      params: { id: "shop" },
      body: { contract_send_limit: 1 },
    });
  for (const found of [{ dataset: { person: "ada" } }, null]) {
    vi.stubGlobal("document", { querySelector: () => found });
    await sendCall();
  }
  expect(sent.map((headers) => headers.get(PERSON_HEADER))).toEqual(["ada", null]);
});
