import { expect, it } from "vitest";
import { saidTrouble } from "@/components/integrations/said-trouble";
import { sayerOf } from "@/lib/platform/i18n/refusals";

it("says what is told of trouble, and leaves the rest as it is", () => {
  const run = {
    id: "run_1",
    error: "There is nothing at the address of orders (404).",
    warning: null,
    counts: { read: 1 },
  };
  expect(saidTrouble(run, sayerOf("de"))).toEqual({
    ...run,
    error: "Unter der Adresse von orders ist nichts (404).",
  });
  const fine = { last_error: null, said: undefined, url: "https://shop.example" };
  expect(saidTrouble(fine, sayerOf("de"))).toEqual(fine);
});

it("says why something was not taken over, and leaves codes to the page", () => {
  const said = (reason: string | null, language: "de" | "en") => saidTrouble({ reason }, sayerOf(language)).reason;
  const issues = "items[0].id must not be empty; customer.email must be an e-mail address";
  expect(said(issues, "de")).toBe(
    "Artikel (1), Kennung: Es darf nicht leer sein. Kunde, E-Mail-Adresse: Es muss eine E-Mail-Adresse sein.",
  );
  expect(said(issues, "en")).toBe(
    "Items (1), Id: It must not be empty. Customer, E-mail address: It must be an e-mail address.",
  );
  expect(said("it cannot be read", "de")).toBe("Nicht lesbar.");
  expect(said("it cannot be read", "en")).toBe("It cannot be read.");
  expect(said("its contact's id is too long", "en")).toBe("Its contact's id is too long.");
  for (const code of ["no_contact", "unavailable", null]) expect(said(code, "de")).toBe(code);
});
