import { afterAll, beforeAll, expect, it } from "vitest";
import * as translation from "@/app/portal/api/v1/queue/[kind]/[id]/translation/route";
import { TranslationFake } from "@/lib/tools/fakes/translation";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import { aClient, aMember, hashDatabase, someQuestions, someReviews } from "@/lib/tools/test/factories";
import { expectError } from "@/lib/tools/test/lists";
import { changeSettings } from "@/lib/tools/test/with-settings";

const fake = new TranslationFake({ key: "secret" });
beforeAll(async () => {
  return changeSettings({ TRANSLATION_URL: `${await fake.listen()}/`, TRANSLATION_API_KEY: "secret" });
});
afterAll(() => fake.close());

const translate = (sent: RequestOptions, id: string, lang = "en", kind = "review") =>
  call(translation, "GET", `/portal/api/v1/queue/${kind}/${id}/translation?lang=${lang}`, sent);

it("translates all texts of an item in one request, and stores nothing", async () => {
  const client = await aClient();
  const [id = ""] = await someReviews(client.id, [
    { title: "Hell", extract: "Sehr hell.", pros: ["Licht", "Holz"], cons: ["Preis"], lang: "de" },
  ]);
  const [question = ""] = await someQuestions(client.id, [{ question: "Welche Birne?", details: "", lang: null }]);
  const ada = await aMember(client);
  const before = await hashDatabase();
  const answer = await translate(ada, id, "en-US");
  expect(answer.json.data).toEqual({
    title: "en: Hell",
    extract: "en: Sehr hell.",
    pros: ["en: Licht", "en: Holz"],
    cons: ["en: Preis"],
  });
  expect(fake.requests).toEqual([
    {
      q: ["Hell", "Sehr hell.", "Licht", "Holz", "Preis"],
      source: "de",
      target: "en",
      format: "text",
      api_key: "secret",
    },
  ]);
  expect((await translate(ada, question, "sv", "question")).json.data).toEqual({
    title: "sv: Welche Birne?",
    extract: "",
    pros: [],
    cons: [],
  });
  expect(fake.requests.at(-1)?.source).toBe("auto");
  expect(await hashDatabase()).toBe(before);
});

it("says why there is no translation, without the service's address", async () => {
  const client = await aClient();
  const [id = "", long = ""] = await someReviews(client.id, [
    { extract: "Sehr hell.", lang: "de" },
    { extract: "x".repeat(20_001), lang: "de" },
  ]);
  const ada = await aMember(client);
  const reasonOf = async (lang = "en", of = id) => {
    const answer = await translate(ada, of, lang);
    expect(answer.text).not.toContain("127.0.0.1");
    return [answer.status, answer.json.errors[0].reason];
  };
  expect(await reasonOf("fi")).toEqual([503, "language_not_translated"]);
  const refusal = async (error: string) => {
    fake.trouble.push({ error });
    return reasonOf();
  };
  expect(
    await refusal("English (en) is not available as a target language from German (de)"),
    "no model of this pair",
  ).toEqual([503, "language_not_translated"]);
  expect(await refusal("Invalid request: request (21) exceeds text limit (20)")).toEqual([
    413,
    "too_long_for_translator",
  ]);
  // Whatever else it says.
  for (const error of ["Invalid request: missing q parameter", "Please contact the server operator to get an API key"])
    expect(await refusal(error), error).toEqual([503, "translation_failed"]);
  for (const trouble of [500, 403, 400, "not json", "too few"] as const) {
    fake.trouble.push(trouble);
    expect(await reasonOf(), String(trouble)).toEqual([503, "translation_failed"]);
  }
  fake.trouble.push("hang up");
  expect(await reasonOf()).toEqual([503, "translation_unreachable"]);
  const sent = fake.requests.length;
  expect(await reasonOf("en", long)).toEqual([413, "too_long_to_translate"]);
  expect(fake.requests).toHaveLength(sent);
});

it("is for moderators of the store", async () => {
  const [client, foreign] = [await aClient(), await aClient()];
  const [id = ""] = await someReviews(client.id, [{ extract: "Hej", lang: "sv" }]);
  const [theirs = ""] = await someReviews(foreign.id, [{ extract: "Hej", lang: "sv" }]);
  const sent = fake.requests.length;
  expectError(await translate(await aMember(client), theirs), 404, "not_found");
  expectError(await translate(await aMember(client, "viewer"), id), 403, "forbidden");
  expect(fake.requests).toHaveLength(sent);
});
