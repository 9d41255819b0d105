import { describe, expect, it } from "vitest";
import { forms } from "@/components/integrations/forms";
import { kinds } from "@/lib/integrations/kinds";
import { defaultSettings, findInputIssues, isSameServer, requiredSecretNames } from "@/lib/integrations/rules";

describe.each(Object.entries(forms))("the form of %s", (name, form) => {
  const kind = name as keyof typeof kinds;
  const fields = form.groups.flatMap((group) => group.fields);
  const shape = kinds[kind].settings.shape as Record<string, { safeParse: (value: unknown) => { success: boolean } }>;

  it("asks for every setting, once", () => {
    expect(fields.map((field) => field.name).sort()).toEqual(Object.keys(shape).sort());
  });

  it("has a name for every credential", () => {
    expect(Object.keys(form.credentials).sort()).toEqual(Object.keys(kinds[kind].secrets.shape).sort());
  });

  it("offers only valid options and all defaults", () => {
    const defaultValues = defaultSettings(kind);
    for (const field of fields) {
      if (!("options" in field)) continue;
      const chosenOf = (option: string) =>
        field.kind === "choice" ? option : field.kind === "several" ? [option] : option.split(",");
      for (const { value } of field.options)
        expect(shape[field.name]?.safeParse(chosenOf(value)).success, `${field.name}: ${value}`).toBe(true);
      const given = defaultValues[field.name];
      if (given === undefined) continue;
      const chosen = field.kind === "several" ? (given as string[]) : [String(given)];
      expect(field.options.map(({ value }) => value)).toEqual(expect.arrayContaining(chosen));
    }
  });
});

it("shows every issue at its field before sending", () => {
  const settings = {
    ...defaultSettings("commerce"),
    orders_url: "shop",
    auth: "password",
    transit_days: "soon",
    store_ids: ["x"],
  };
  expect(findInputIssues("commerce", { settings, secrets: { username: "u" } }, [])).toEqual([
    { field: "settings.orders_url", reason: "not_a_web_address" },
    { field: "settings.store_ids[0]", reason: "not_a_number" },
    { field: "settings.transit_days", reason: "not_a_number" },
    { field: "secrets.password", reason: "required" },
  ]);
  const fine = { ...settings, orders_url: "https://shop.example/rest/V1/orders", transit_days: 2, store_ids: ["1"] };
  expect(findInputIssues("commerce", { settings: fine, secrets: {} }, ["username", "password"])).toEqual([]);
});

it("knows which credentials are needed, and for which server they stay stored", () => {
  expect(requiredSecretNames("commerce", { auth: "bearer" })).toEqual(["token"]);
  expect(requiredSecretNames("engagement", {})).toEqual(["api_key"]);
  const at = (base_url: string) => ({ base_url });
  expect(isSameServer("engagement", at("https://a.example/x"), at("https://a.example/y"))).toBe(true);
  expect(isSameServer("engagement", at("https://a.example"), at("https://b.example"))).toBe(false);
  expect(isSameServer("engagement", at("nonsense"), at("nonsense"))).toBe(false);
});
