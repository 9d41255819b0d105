import { describe, expect, it } from "vitest";
import { findMarkup } from "./find-markup";
import { blockingDirectives } from "./page-policy";
import { explainMigration, type MigrationContext, type MovedStore } from "./rules";

const PAGE = "https://shop.example/lamp";
const ORIGIN = "https://reviews.example";
const store: MovedStore = { collect_questions: true, collect_seller_reviews: true, allowed_origins: [], config: {} };
const context: MigrationContext = {
  pageUrl: PAGE,
  policies: [],
  stores: new Map([["shop.example", store]]),
  clientId: undefined,
  origin: ORIGIN,
  ownOrigin: ORIGIN,
};
const check = (html: string, changes: Partial<MigrationContext> = {}) =>
  explainMigration(findMarkup(html, PAGE), { ...context, ...changes });
/** Findings as `line works found`. */
const brief = (html: string, changes?: Partial<MigrationContext>) =>
  check(html, changes).map(({ line, found, works }) => `${line ?? "-"} ${word(works)} ${found}`);
const word = (works: boolean | null) => (works === null ? "note" : works ? "ok" : "FAIL");

const script = '<script async src="https://js.old.example/onpage/shop.example/head.js"></script>';

describe("a page of the old service", () => {
  const page = `<!doctype html>
<html><head>
${script}
<script>
  testFreaks = window.testFreaks || [];
  testFreaks.push(["setProductId", "LAMP"]);
  testFreaks.push(["load", ["badge", "reviews", "qa"]]);
</script>
</head><body>
<div id="testfreaks-badge"></div>
<!-- <div id="testfreaks-reviews"></div> -->
<section class="testfreaks-section"><div id="testfreaks-reviews-main"></div></section>
<div id="testfreaks-qa"></div><div id="testfreaks-videos"></div>
<div id="testfreaks-seller" data-mode="sidebar"></div>
<ul><li class="card testfreaks-item"
        data-product-id="P1"></li>
<li class="testfreaks-item"></li></ul>
<iframe src="https://reviews.old.example/reviews/new?client_id=shop.example&amp;key=LAMP&amp;noheader=1"></iframe>
<script>
fetch("https:\\/\\/js.old.example\\/onpage\\/shop.example\\/reviews.json?key=LAMP");

fetch("https://cr.old.example/seller_reviews.json?client_id=shop.example&limit=5");
</script>
</body></html>`;

  it("is explained line by line", () => {
    expect(brief(page)).toEqual([
      "3 ok script https://js.old.example/onpage/shop.example/head.js",
      "6 ok command setProductId",
      "7 ok command load",
      "10 ok place testfreaks-badge",
      "12 note place testfreaks-reviews-main",
      "13 ok place testfreaks-qa",
      "13 FAIL place testfreaks-videos",
      "14 note place testfreaks-seller",
      "15 note place testfreaks-item",
      "17 FAIL place testfreaks-item",
      "18 ok frame https://reviews.old.example/reviews/new?client_id=shop.example&key=LAMP&noheader=1",
      "20 ok JSON https://js.old.example/onpage/shop.example/reviews.json?key=LAMP",
      "22 ok JSON https://cr.old.example/seller_reviews.json?client_id=shop.example&limit=5",
    ]);
  });

  it("works completely after the host was changed", () => {
    const moved = page.replaceAll(/(js|cr|reviews)\.old\.example/g, "reviews.example");
    expect(check(moved)[0]).toMatchObject({ works: true, note: "Loads from Candor already." });
    expect(check(page)[0]).toMatchObject({ works: true, note: `Change the host to ${ORIGIN}.` });
  });

  it("of other stores, or of another one than the named, doesn't work", () => {
    const failing = (changes: Partial<MigrationContext>) => check(page, changes).filter(({ works }) => works === false);
    const addresses = [3, 18, 20, 22];
    expect(failing({ stores: new Map([["shop.example", null]]) }).map(({ line }) => line)).toEqual(
      expect.arrayContaining(addresses),
    );
    expect(failing({ clientId: "other.example" })).toEqual(
      expect.arrayContaining(
        addresses.map((line) => expect.objectContaining({ line, note: "It is of another client: shop.example." })),
      ),
    );
    const listing = new Map([["shop.example", { ...store, allowed_origins: ["https://www.shop.example"] }]]);
    expect(failing({ stores: listing }).map(({ line }) => line)).toEqual([3, 13, 17, 18]);
    const noQuestions = new Map([["shop.example", { ...store, collect_questions: false }]]);
    expect(brief(page, { stores: noQuestions })).toContain("13 FAIL place testfreaks-qa");
    expect(failing({ origin: "http://reviews.example" }).map(({ line }) => line)).toEqual([3, 13, 17, 18]);
  });
});

describe("scripts", () => {
  it.each([
    ["https://js.old.example/onpage/shop.example/prd.js", true],
    ["//js.old.example/onpage/shop%2Eexample/async.js?x=1", true],
    ["https://js.old.example/badge/shop.example/head.js", true],
    ["https://js.old.example/onpage/other.example/head.js", false],
  ])("%s works: %s", (src, works) => {
    expect(check(`<script src="${src}"></script>`)).toMatchObject([{ line: 1, works }]);
  });

  it.each([
    "https://js.old.example/badge/shop.example/prd.js",
    "https://js.old.example/head.js",
    "https://js.old.example/onpage/shop.example/head.js.map",
    "http://[",
  ])("%s is another's", (src) => {
    expect(check(`<script src="${src}"></script>`)).toMatchObject([{ line: null, found: "page", works: false }]);
  });

  it("are found when another script adds them, also with a computed ID", () => {
    const adding = "<script>\ns.src='//js.old.example/onpage/shop.example/head.js';</script>";
    expect(brief(adding)).toEqual(["2 ok script //js.old.example/onpage/shop.example/head.js"]);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as in a page
    const computed = "<script>s.src=`https://js.old.example/onpage/${id}/head.js`</script>";
    expect(check(computed)).toMatchObject([{ works: true }]);
  });

  it("are missed if the page has only places", () => {
    expect(check('<div id="testfreaks-badge"></div>')).toMatchObject([
      { line: null, works: false, note: expect.stringContaining("tag manager") },
      { line: 1, works: true },
    ]);
  });
});

describe("places", () => {
  /** Notes of places by these ids, on a page with these calls. */
  const places = (code: string, ...ids: string[]) =>
    check(`${script}<script>${code}</script>\n${ids.map((id) => `<div id="testfreaks-${id}"></div>`).join("")}`)
      .filter(({ line }) => line === 2)
      .map(({ works, note }) => `${word(works)} ${note}`);
  const push = (...commands: string[]) => `testFreaks.push(${commands.join(", ")});`;
  const missing = (command: string) =>
    `note Can't be checked here: no command ${command} in the HTML fills it. Look for one in other scripts.`;
  const computed = "note Can't be checked here: a script computes what it loads.";

  it("without a context are filled by load, or by themselves without any load or reset", () => {
    expect(places("", "badge", "seller")).toEqual(["ok Shows the badge.", "ok Shows the seller reviews."]);
    expect(places(push('["load"]'), "badge")).toEqual(["ok Shows the badge."]);
    expect(places(push('["load", "reviews,badge"]'), "badge", "qa")).toEqual(["ok Shows the badge.", missing("load")]);
    expect(places(push('["reset"]'), "badge")).toEqual([missing("load")]);
    expect(places(push('["top.load"]'), "badge")).toEqual([missing("load")]);
  });

  it("with a context are filled only by its load", () => {
    expect(places("", "badge-top")).toEqual([missing("top.load")]);
    expect(places(push('["load"]'), "reviews-pop-up")).toEqual([missing("pop-up.load")]);
    expect(places(push('["pop-up.load", ["reviews"]]'), "reviews-pop-up", "badge-pop-up", "reviews-top")).toEqual([
      "ok Shows the reviews.",
      missing("pop-up.load"),
      missing("top.load"),
    ]);
  });

  it("can't be checked if a script computes what is loaded", () => {
    expect(places(push('["load", parts]'), "badge", "badge-top")).toEqual([computed, missing("top.load")]);
    expect(places(push('["load", wide ? ["badge"] : ["reviews"]]'), "badge")).toEqual([computed]);
    expect(places(push('[place + ".load", ["badge"]]'), "badge", "badge-top")).toEqual([computed, computed]);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as in a page
    expect(places(push("[`${place}.load`]"), "badge-top")).toEqual([computed]);
    expect(places(push("[name, value]"), "badge-top")).toEqual([computed]);
    expect(places(push('[place + ".load"]', '["load"]'), "badge")).toEqual(["ok Shows the badge."]);
  });

  it("of listings are filled by any load of items", () => {
    const item = (code: string) =>
      brief(`${script}<script>${code}</script>\n<i class="testfreaks-item" data-product-id="P1"></i>`).at(-1);
    for (const code of ["", push('["load"]'), push('["list.load", ["items"]]'), push('[list + ".load", "items"]')])
      expect(item(code), code).toBe("2 ok place testfreaks-item");
    for (const code of [push('["load", "badge"]'), push('["load", parts]')])
      expect(item(code), code).toBe("2 note place testfreaks-item");
  });
});

describe("commands", () => {
  const commands = (code: string) => check(`${script}<script>${code}</script>`).slice(1);

  it.each([
    ['testFreaks.push(["reset"])', ["reset"]],
    ["window.testFreaks.push(['setProductId','a]b'], ['load'])", ["setProductId", "load"]],
    ['(window.testFreaks = window.testFreaks || []).push(["list.load", ["items"]])', ["list.load"]],
    ['window["testFreaks"].push([ "setFamilyId", {a: ["x"]} ])', ["setFamilyId"]],
    [
      'testFreaks = [["setProductId", 7], ["onBadgeClick", function () { go(["load"]) }]]',
      ["setProductId", "onBadgeClick"],
    ],
    ['testFreaks.push(["setOptions", { onReviews: (n) => show("]", n) }]);', ["setOptions"]],
    ["testFreaks\n  .push(['setMaxWidthSmall', 300])", ["setMaxWidthSmall"]],
    ['testFreaks.push(["setApiHost", "api.old.example"], ["load", "badge, qa"])', ["setApiHost", "load"]],
  ])("%s", (code, names) => {
    expect(commands(code)).toEqual(
      names.map((name) => expect.objectContaining({ found: `command ${name}`, works: true })),
    );
  });

  it.each([
    'testFreaks.push(["explode", 1])',
    'testFreaks.push(["setProductId", ""])',
    'testFreaks.push(["setProductId"])',
    'testFreaks.push(["load", ["badge", "videos"]])',
  ])("%s doesn't work", (code) => {
    expect(commands(code)).toMatchObject([{ works: false }]);
  });

  it.each([
    ['testFreaks.push(["load", sections])', "load", "a script computes what it loads"],
    ['testFreaks.push([context + ".load", ["badge"]])', 'context + ".load"', "a script computes its context"],
    ["testFreaks.push([prefix('a,b') + '.reset'])", "prefix('a,b') + '.reset'", "a script computes its context"],
    ["testFreaks.push([name, 1])", "name", "a script computes the command"],
  ])("%s can't be checked", (code, name, reason) => {
    expect(commands(code)).toEqual([
      { line: 1, found: `command ${name}`, works: null, note: `Can't be checked here: ${reason}.` },
    ]);
  });

  it.each([
    ['["load"]', "Loads all places without a context."],
    ['["top.load"]', "Loads all places of top."],
    ['["top.load", ["badge", "qa"]]', "Loads badge, qa into the places of top."],
    ['["load", "badge, seller"]', "Loads badge, seller into the places without a context."],
    ['["reset"]', "Clears the places of all contexts."],
    ['["top.reset"]', "Clears the places of top."],
  ])("%s says what it loads or clears", (command, note) => {
    expect(commands(`testFreaks.push(${command})`)).toMatchObject([{ works: true, note }]);
  });

  it("without effect stay so in a computed context, and unknown ones are ignored", () => {
    expect(commands('testFreaks.push([a + ".setAnalytics", 1], [a + ".explode"])')).toMatchObject([
      { works: true },
      { works: false },
    ]);
  });

  it("of other queues and in unfinished calls are ignored", () => {
    expect(commands('dataLayer.push(["load"]); testFreaks.push(["load"')).toEqual([]);
  });

  it("are found in handlers of elements", () => {
    expect(brief(`${script}\n<a onclick="testFreaks.push(['reset'])">`)).toContain("2 ok command reset");
  });
});

describe("forms", () => {
  const form = (element: string, query: string) =>
    check(
      `<${element === "a" ? "a href" : "iframe src"}="https://reviews.old.example/questions/new?${query}"></${element}>`,
    );

  it("need a product, and questions that the store accepts", () => {
    expect(form("a", "client_id=shop.example&url_key=LAMPS")).toMatchObject([{ works: true }]);
    expect(form("iframe", "client_id=shop.example")).toMatchObject([{ works: false }]);
    expect(form("a", "key=LAMP")).toMatchObject([{ found: "page" }]);
  });

  it("are linked from every page, but framed only by allowed sites", () => {
    const stores = new Map([["shop.example", { ...store, allowed_origins: ["https://www.shop.example"] }]]);
    const address = "https://reviews.old.example/reviews/new?client_id=shop.example&key=a";
    expect(check(`<a href="${address}">`, { stores })).toMatchObject([{ works: true }]);
    expect(check(`<iframe src="${address}">`, { stores })).toMatchObject([{ works: false }]);
  });
});

describe("a Content-Security-Policy", () => {
  const blocked = (policy: string, changes = {}) =>
    blockingDirectives(policy, {
      origin: ORIGIN,
      pageUrl: PAGE,
      scripts: [{ nonce: null, isInline: false }],
      fetchesJson: true,
      showsImages: true,
      framesForms: true,
      submitsForms: false,
      loadsStyles: false,
      ...changes,
    });

  it.each([
    ["default-src 'self'", ["script-src", "connect-src", "img-src", "frame-src"]],
    ["default-src 'none'; script-src https://reviews.example; connect-src *", ["img-src", "frame-src"]],
    ["default-src https:", []],
    ["default-src http:", []],
    ["default-src *.example", []],
    ["default-src *.reviews.example", ["script-src", "connect-src", "img-src", "frame-src"]],
    ["default-src reviews.example:443", []],
    ["default-src reviews.example:8443", ["script-src", "connect-src", "img-src", "frame-src"]],
    ["script-src HTTPS://Reviews.Example; script-src 'none'", []],
    ["script-src https://reviews.example/static/; img-src https://reviews.example/", ["script-src"]],
    ["script-src 'strict-dynamic' https://reviews.example", ["script-src"]],
    ["script-src *; script-src-elem 'none'", ["script-src"]],
    ["child-src 'none'", ["frame-src"]],
    ["upgrade-insecure-requests", []],
    ["", []],
  ])("%s", (policy, names) => {
    expect(blocked(policy)).toEqual(names);
  });

  it("allows a script by its nonce, or what an allowed script adds", () => {
    const policy = "script-src 'nonce-abc' 'strict-dynamic'";
    expect(blocked(policy, { scripts: [{ nonce: "abc", isInline: false }] })).toEqual([]);
    expect(blocked(policy, { scripts: [{ nonce: "abd", isInline: false }] })).toEqual(["script-src"]);
    expect(blocked(policy, { scripts: [{ nonce: null, isInline: true }] })).toEqual([]);
  });

  it("is checked in headers and in the page", () => {
    const meta = `<meta http-equiv="Content-Security-Policy" content="img-src 'self'">`;
    expect(
      check(`${script}\n${meta}`, { policies: ["script-src https://reviews.example", "frame-src 'none'"] }),
    ).toEqual([
      { line: null, found: "Content-Security-Policy", works: true, note: "Allows Candor." },
      { line: null, found: "Content-Security-Policy", works: true, note: "Allows Candor." },
      {
        line: 2,
        found: "Content-Security-Policy",
        works: false,
        note: `Blocks Candor: add ${ORIGIN} to img-src.`,
      },
      expect.objectContaining({ line: 1, works: true }),
    ]);
  });

  describe("with a host name of the store's own", () => {
    const HOST = "https://reviews.shop.example";
    const note = (html: string, policy: string) =>
      check(html, { origin: HOST, ownOrigin: ORIGIN, policies: [policy] })[0]?.note;
    const frame = '<iframe src="https://reviews.old.example/reviews/new?client_id=shop.example&key=LAMP"></iframe>';
    const json = '<script>fetch("https://js.old.example/onpage/shop.example/reviews.json?key=LAMP")</script>';

    it.each([
      [script, `default-src ${HOST}`, `Blocks Candor: add ${ORIGIN} to script-src, connect-src, img-src.`],
      [
        script + frame,
        `default-src ${HOST}`,
        // The frame's host is changed to the store's own.
        `Blocks Candor: add ${ORIGIN} to script-src, connect-src, img-src.`,
      ],
      [script, `default-src ${ORIGIN}`, `Blocks Candor: add ${HOST} to script-src.`],
      [
        script + json + frame,
        `default-src ${ORIGIN}`,
        `Blocks Candor: add ${HOST} to script-src, connect-src, frame-src.`,
      ],
      [
        script,
        "script-src 'self'; img-src 'self'",
        `Blocks Candor: add ${HOST} to script-src; ${ORIGIN} to script-src, img-src.`,
      ],
      [script, `script-src ${HOST} ${ORIGIN}; connect-src ${ORIGIN}; img-src ${ORIGIN}`, "Allows Candor."],
      [script + json + frame, `default-src ${HOST} ${ORIGIN}`, "Allows Candor."],
      [script.replace("async", 'nonce="abc"'), "script-src 'nonce-abc'", "Allows Candor."],
    ])("%s allows both hosts by %s: %s", (html, policy, expected) => {
      expect(note(html, policy)).toBe(expected);
    });
  });
});

it.each(["<script>", "testFreaks.push([", '<div id="testfreaks-badge">', "//a/onpage/", "<script>testFreaks=["])(
  "a page of %j has a bounded report",
  (text) => {
    expect(check(text.repeat(1_000_000 / text.length)).length).toBeLessThanOrEqual(1_002);
  },
);
