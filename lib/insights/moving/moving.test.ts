import { describe, expect, it } from "vitest";
import { findMarkup } from "./find-markup";
import { blockingDirectives } from "./page-policy";
import { explainMigration, findingLine, type MigrationContext, type MovedStore, wordOf } from "./rules";

const PAGE = "https://shop.example/lamp";
const ORIGIN = "https://reviews.example";
const store: MovedStore = { collect_questions: true, allowed_origins: [], config: {} };
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
  check(html, changes).map((finding) => `${finding.line ?? "-"} ${wordOf(finding)} ${finding.found}`);

// biome-ignore lint/suspicious/noTemplateCurlyInString: as in the code of a page
const COMPUTED = "${…}";
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
      "10 ok container testfreaks-badge",
      "12 note container testfreaks-reviews-main",
      "13 ok container testfreaks-qa",
      "13 FAIL container testfreaks-videos",
      "14 note container testfreaks-seller",
      "15 note container testfreaks-item",
      "17 FAIL container testfreaks-item",
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
    const urls = [3, 18, 20, 22];
    expect(failing({ stores: new Map([["shop.example", null]]) }).map(({ line }) => line)).toEqual(
      expect.arrayContaining(urls),
    );
    expect(failing({ clientId: "other.example" })).toEqual(
      expect.arrayContaining(
        urls.map((line) => expect.objectContaining({ line, note: "It belongs to another client: shop.example." })),
      ),
    );
    const listing = new Map([["shop.example", { ...store, allowed_origins: ["https://www.shop.example"] }]]);
    expect(failing({ stores: listing }).map(({ line }) => line)).toEqual([3, 13, 17, 18]);
    const noQuestions = new Map([["shop.example", { ...store, collect_questions: false }]]);
    expect(brief(page, { stores: noQuestions })).toContain("13 FAIL container testfreaks-qa");
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

  it("are missed if the page only preloads them", () => {
    const preload = '<link rel="preload" as="script" href="//js.old.example/onpage/shop.example/head.js">';
    expect(brief(`${preload}<div id="testfreaks-badge"></div>`)[0]).toBe("- FAIL page");
    const added = '<script>s.src = "//js.testfreaks.com/onpage/" + id + path</script>';
    expect(brief(`${added}<div id="testfreaks-badge"></div>`)[0]).toMatch("1 note URL");
  });

  it("are missed if the page has only containers", () => {
    expect(check('<div id="testfreaks-badge"></div>')).toMatchObject([
      { line: null, works: false, note: expect.stringContaining("tag manager") },
      { line: 1, works: true },
    ]);
  });
});

describe("a finding as a line", () => {
  it("starts with a word and the line in the page", () => {
    const finding = { line: 12, found: "script a", works: true, note: "Works as before." };
    expect([
      findingLine(finding),
      findingLine({ ...finding, works: false }),
      findingLine({ ...finding, line: null, works: null }),
    ]).toEqual([
      "ok    12: script a: Works as before.",
      "FAIL  12: script a: Works as before.",
      "note  -: script a: Works as before.",
    ]);
  });

  it("stays one line, whatever the page has", () => {
    const finding = { line: 1, found: "script a\r\n\u2028ok    2: b", works: true, note: "Loads\nall." };
    expect(findingLine(finding)).toBe("ok    1: script a ok 2: b: Loads all.");
  });
});

it("says where a page wasn't read because its elements are nested too deeply", () => {
  const note = "note page";
  expect(brief("<b>\n".repeat(600))).toEqual([`513 ${note}`]);
  expect(brief(`<div id="testfreaks-badge"></div>${"<b>".repeat(600)}`)).toContain(`1 ${note}`);
});

describe("containers", () => {
  /** Notes of containers by these ids, on a page with these calls. */
  const containers = (code: string, ...ids: string[]) =>
    check(`${script}<script>${code}</script>\n${ids.map((id) => `<div id="testfreaks-${id}"></div>`).join("")}`)
      .filter(({ line }) => line === 2)
      .map((finding) => `${wordOf(finding)} ${finding.note}`);
  const push = (...commands: string[]) => `testFreaks.push(${commands.join(", ")});`;
  const missing = (command: string) =>
    `note Can't be checked here: no command ${command} in the HTML fills it. Look for one in other scripts.`;
  const computed = "note Can't be checked here: a script computes what it loads.";

  it("without a context are filled by load, or by themselves without any load or reset", () => {
    expect(containers("", "badge", "seller")).toEqual(["ok Shows the badge.", "ok Shows the seller reviews."]);
    expect(containers(push('["load"]'), "badge")).toEqual(["ok Shows the badge."]);
    expect(containers(push('["load", "reviews,badge"]'), "badge", "qa")).toEqual([
      "ok Shows the badge.",
      missing("load"),
    ]);
    expect(containers(push('["reset"]'), "badge")).toEqual([missing("load")]);
    expect(containers(push('["top.load"]'), "badge")).toEqual([missing("load")]);
  });

  it("of unknown names stay empty, also if every object has a member of that name", () => {
    for (const id of ["footer", "constructor"])
      expect(containers("", id), id).toEqual(["FAIL Candor has nothing for this container. It stays empty."]);
  });

  it("with a context are filled only by its load", () => {
    expect(containers("", "badge-top")).toEqual([missing("top.load")]);
    expect(containers(push('["load"]'), "reviews-pop-up")).toEqual([missing("pop-up.load")]);
    expect(containers(push('["pop-up.load", ["reviews"]]'), "reviews-pop-up", "badge-pop-up", "reviews-top")).toEqual([
      "ok Shows the reviews.",
      missing("pop-up.load"),
      missing("top.load"),
    ]);
  });

  it("can't be checked if a script computes what is loaded", () => {
    expect(containers(push('["load", parts]'), "badge", "badge-top")).toEqual([computed, missing("top.load")]);
    expect(containers(push('["load", wide ? ["badge"] : ["reviews"]]'), "badge")).toEqual([computed]);
    expect(containers(push('[container + ".load", ["badge"]]'), "badge", "badge-top")).toEqual([computed, computed]);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as in a page
    expect(containers(push("[`${container}.load`]"), "badge-top")).toEqual([computed]);
    expect(containers(push("[name, value]"), "badge-top")).toEqual([computed]);
    expect(containers(push('[container + ".load"]', '["load"]'), "badge")).toEqual(["ok Shows the badge."]);
  });

  it("of listings are filled by any load of items", () => {
    const item = (code: string) =>
      brief(`${script}<script>${code}</script>\n<i class="testfreaks-item" data-product-id="P1"></i>`).at(-1);
    for (const code of ["", push('["load"]'), push('["list.load", ["items"]]'), push('[list + ".load", "items"]')])
      expect(item(code), code).toBe("2 ok container testfreaks-item");
    for (const code of [push('["load", "badge"]'), push('["load", parts]')])
      expect(item(code), code).toBe("2 note container testfreaks-item");
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
    ['testFreaks.push("load")', ["load"]],
    ['testFreaks.push( \'reset\', ["setProductId", "a"], `load` )', ["reset", "setProductId", "load"]],
  ])("%s", (code, names) => {
    expect(commands(code)).toEqual(
      names.map((name) => expect.objectContaining({ found: `command ${name}`, works: true })),
    );
  });

  it.each([
    'testFreaks.push(["explode", 1])',
    'testFreaks.push(["setProductId", ""])',
    'testFreaks.push(["setProductId"])',
    'testFreaks.push("setProductId")',
    'testFreaks.push("explode")',
    'testFreaks.push(["load", ["badge", "videos"]])',
  ])("%s doesn't work", (code) => {
    expect(commands(code)).toMatchObject([{ works: false }]);
  });

  it.each([
    ['testFreaks.push(["load", sections])', "load", "a script computes what it loads"],
    ['testFreaks.push([context + ".load", ["badge"]])', 'context + ".load"', "a script computes its context"],
    ["testFreaks.push([prefix('a,b') + '.reset'])", "prefix('a,b') + '.reset'", "a script computes its context"],
    ["testFreaks.push([name, 1])", "name", "a script computes the command"],
    ["testFreaks.push('top' + '.load')", "'top' + '.load'", "a script computes its context"],
  ])("%s can't be checked", (code, name, reason) => {
    expect(commands(code)).toEqual([
      { line: 1, found: `command ${name}`, works: null, note: `Can't be checked here: ${reason}.` },
    ]);
  });

  it.each([
    ['["load"]', "Loads all containers without a context."],
    ['["top.load"]', "Loads all containers of top."],
    ['["top.load", ["badge", "qa"]]', "Loads badge, qa into the containers of top."],
    ['["load", "badge, seller"]', "Loads badge, seller into the containers without a context."],
    ['["reset"]', "Clears the containers of all contexts."],
    ['["top.reset"]', "Clears the containers of top."],
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
    expect(commands('dataLayer.push(["load"], "load"); testFreaks.push(["load"')).toEqual([]);
  });

  it("are read where the page pushes a text, but not from texts inside other values", () => {
    const texts = "testFreaks.push(name + 'reset', call('reset'), { a: 'reset' }, wide ? 'reset' : null); log('reset')";
    expect(commands(texts)).toEqual([]);
    expect(commands('testFreaks.push("load')).toEqual([]);
    expect(check(`${script}<script>\ntestFreaks.push(\n"load")</script>`).at(-1)).toMatchObject({ line: 3 });
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
    const url = "https://reviews.old.example/reviews/new?client_id=shop.example&key=a";
    expect(check(`<a href="${url}">`, { stores })).toMatchObject([{ works: true }]);
    expect(check(`<iframe src="${url}">`, { stores })).toMatchObject([{ works: false }]);
  });
});

describe("URLs", () => {
  const OLD = "https://js.testfreaks.com";
  const change = `Change the host to ${ORIGIN}.`;
  /** Findings of the only line of a page. */
  const found = (html: string, changes?: Partial<MigrationContext>) =>
    check(html, changes).map((finding) => `${wordOf(finding)} ${finding.found}: ${finding.note}`);
  const inScript = (code: string, changes?: Partial<MigrationContext>) => found(`<script>${code}</script>`, changes);
  const nothing = [expect.stringMatching(/^FAIL page: The HTML has nothing/)];
  const otherClasses = "Candor's HTML has different classes.";

  it.each(["badge.html?key=a", "reviews.html?key=a", "questions.html?key=a", "seller.html"])(
    "of HTML work: %s",
    (file) => {
      const url = `${OLD}/onpage/shop.example/${file}`;
      expect(found(`<a href="${url}">`)).toEqual([`ok link ${url}: ${change} ${otherClasses}`]);
    },
  );

  it.each([
    "reviews.json?key=a",
    "reviews/list.json?key=a",
    "reviews/external.json?key=a&kind=pro",
    "questions.json?key=a",
    "seller_reviews.json",
    "ratings.json?key=a",
    "score.json?keys[]=a",
  ])("of JSON work: %s", (file) => {
    const url = `${OLD}/onpage/shop.example/${file}`;
    expect(inScript(`fetch("${url}")`)).toEqual([`ok JSON ${url}: ${change}`]);
  });

  it.each(["product.jsonld?key=a", "google/product_reviews.xml", "google/product_reviews.xml.gz"])(
    "of data work: %s",
    (file) => {
      const url = `${OLD}/onpage/shop.example/${file}`;
      expect(inScript(`fetch("${url}")`)).toEqual([`ok URL ${url}: ${change}`]);
    },
  );

  it("are found in links, preloads, images, forms and buttons", () => {
    const css = `${OLD}/onpage/shop.example/head.css`;
    const js = `${OLD}/onpage/shop.example/head.js`;
    const form = "https://reviews.testfreaks.com/reviews/new?client_id=shop.example&key=a";
    expect(found(`<link rel="stylesheet" href="${css}">`)).toEqual([`ok stylesheet ${css}: ${change} ${otherClasses}`]);
    expect(found(`<link rel="preload" as="script" href="${js}">`)).toEqual([`ok preload ${js}: ${change}`]);
    expect(found(`<link rel="preconnect" href="${OLD}">`)).toEqual([`ok preconnect ${OLD}: ${change}`]);
    expect(found(`<form><button formaction="${form}"></form>`)).toEqual([`ok form ${form}: ${change}`]);
    expect(found(`<iframe src="about:blank" data-src="${form}"></iframe>`)).toEqual([`ok frame ${form}: ${change}`]);
    expect(found(`<img src="${OLD}/logo.png">`)).toEqual([
      `FAIL image ${OLD}/logo.png: Candor doesn't have this URL. Remove it.`,
    ]);
  });

  it("of the old service that Candor doesn't have are to be removed", () => {
    const home = "It leads to the old service's own site. Remove it.";
    for (const url of ["https://www.testfreaks.com", "https://testfreaks.com/", "http://www.testfreaks.com/?ref=shop"])
      expect(found(`<a href="${url}">Reviews</a>`)).toEqual([`FAIL link ${url}: ${home}`]);
    expect(inScript('link("https://www.testfreaks.com/")')).toEqual([`FAIL URL https://www.testfreaks.com/: ${home}`]);
    expect(found(`<script src="${OLD}/onpage/shop.example/other.js"></script>`)).toEqual([
      `FAIL script ${OLD}/onpage/shop.example/other.js: Candor doesn't have this URL. Remove it.`,
    ]);
    expect(inScript('fetch("https://api.testfreaks.com/v1/reviews")')).toEqual([
      `FAIL URL https://api.testfreaks.com/v1/reviews: ${change} It needs a Candor API key, which must not be in a page.`,
    ]);
    expect(found(`<constructor href="${OLD}/logo.png">`)).toEqual([
      `FAIL constructor ${OLD}/logo.png: Candor doesn't have this URL. Remove it.`,
    ]);
    expect(found('<a href="https://nottestfreaks.com/">')).toEqual(nothing);
  });

  it("that a script adds to are to be changed", () => {
    const rest = "Can't be checked here: a script adds the rest.";
    const key = "Submissions also need the store's public key as api_key.";
    expect(inScript(`var base = "${OLD}/onpage";`)).toEqual([`note URL ${OLD}/onpage: ${change} ${rest}`]);
    expect(inScript("load('//js.old.example/onpage/' + id)")).toEqual([
      `note URL //js.old.example/onpage/${COMPUTED}: ${change} ${rest}`,
    ]);
    expect(inScript(`load("${OLD}/onpage/shop.example/" + file)`)).toEqual([
      `note URL ${OLD}/onpage/shop.example/${COMPUTED}: ${change} ${rest}`,
    ]);
    for (const url of ["https://reviews.testfreaks.com/api", "https://reviews.testfreaks.com"])
      expect(inScript(`var api = "${url}"`)).toEqual([`note URL ${url}: ${change} ${rest} ${key}`]);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as in a page
    for (const code of ['"https://reviews.testfreaks.com" + path', "`https://reviews.testfreaks.com${path}`"])
      expect(inScript(`open(${code})`), code).toEqual([
        expect.stringMatching(
          /^note URL https:\/\/reviews\.testfreaks\.com\/\$\{.+\}: Change the host .* a script adds the rest/,
        ),
      ]);
    expect(inScript('var api = "https://other.example/api", b = "//other.example/badge/"')).toEqual(nothing);
  });

  it("that a script joins count as the whole URL", () => {
    expect(inScript("s.src = '//js.old.example/onpage/' + shop.id + '/head.js';")).toEqual([
      `ok script //js.old.example/onpage/${COMPUTED}/head.js: ${change}`,
    ]);
    const code = 'fetch("https://cr.old.example/seller_reviews.json?client_id=" + encodeURIComponent(id) + "&limit=5")';
    expect(inScript(code)).toEqual([
      `ok JSON https://cr.old.example/seller_reviews.json?client_id=${COMPUTED}&limit=5: ${change}`,
    ]);
    expect(brief(`<script>\n\ns.src = "//js.old.example/onpage/"\n + id\n + "/head.js";</script>`)).toEqual([
      `3 ok script //js.old.example/onpage/${COMPUTED}/head.js`,
    ]);
  });

  it("with computed ids can't be of an unknown store or lack a product", () => {
    const form = "https://reviews.old.example/reviews/new";
    for (const query of ['?client_id=" + id + "&key=" + sku', '?client_id=shop.example&key=" + sku'])
      expect(inScript(`open("${form}${query})`), query).toEqual([expect.stringMatching(/^ok URL .*: Change the host/)]);
    expect(inScript(`open(\`${form}?client_id=\${id}&key=\${sku}\`)`)[0]).toMatch(/^ok/);
    expect(inScript(`open("${form}?client_id=shop.example&" + query)`)).toEqual([
      expect.stringMatching(
        /^note .* Can't be checked here: its product isn't in the HTML\. It needs key or url_key\.$/,
      ),
    ]);
    const named = "https://reviews.testfreaks.com/reviews/new";
    const store = "its store isn't in the HTML. It needs client_id.";
    expect(inScript(`open("${named}?" + query)`)).toEqual([
      `note URL ${named}?${COMPUTED}: Can't be checked here: ${store}`,
    ]);
    expect(found(`<form action="${named}">`)).toEqual([`note form ${named}: Can't be checked here: ${store}`]);
    expect(found(`<a href="${named}">`)).toEqual([`FAIL link ${named}: It has no store: add client_id.`]);
  });

  describe("of submissions", () => {
    const post = (host: string, path: string, changes?: Partial<MigrationContext>) =>
      inScript(`fetch("https://${host}${path}", { method: "POST", body })`, changes);

    it.each(["/api/reviews", "/api/questions", "/collect/reviews", "/collect/questions", "/uploader"])(
      "%s need the store's public key",
      (path) => {
        expect(post("reviews.testfreaks.com", path)).toEqual([
          `FAIL URL https://reviews.testfreaks.com${path}: Change the host to ${ORIGIN}, and api_key to the store's public key.`,
        ]);
        expect(post("reviews.example", path)).toEqual([
          `note URL https://reviews.example${path}: Can't be checked here: it needs the store's client_id, and its public key as api_key.`,
        ]);
        expect(post("other.example", path)).toEqual(nothing);
        expect(inScript(`fetch("${path}")`)).toEqual(nothing);
      },
    );

    it("need settings of the store that allow them", () => {
      const noQuestions = { stores: new Map([["shop.example", { ...store, collect_questions: false }]]) };
      const off = /^FAIL .*: The store's setting collect_questions is off\.$/;
      expect(post("reviews.testfreaks.com", "/api/questions", noQuestions)).toEqual([expect.stringMatching(off)]);
      expect(post("reviews.testfreaks.com", "/api/reviews", noQuestions)[0]).not.toMatch(off);
      const listing = {
        stores: new Map([["shop.example", { ...store, allowed_origins: ["https://www.shop.example"] }]]),
      };
      expect(post("reviews.example", "/api/reviews", listing)).toEqual([expect.stringMatching(/allowed_origins\.$/)]);
    });

    it("accept no form fields", () => {
      const form = (host: string) => found(`<form method="post" action="https://${host}/api/reviews"></form>`);
      for (const host of ["reviews.testfreaks.com", "reviews.example"])
        expect(form(host)).toEqual([
          expect.stringMatching(/^FAIL form .*: Candor accepts JSON from a script, not form fields/),
        ]);
      expect(form("other.example")).toEqual(nothing);
    });
  });

  it("of votes come from Candor's JSON", () => {
    const vote = (host: string) => inScript(`fetch("https://${host}/collect/feedback/abc")`);
    expect(vote("reviews.testfreaks.com")).toEqual([
      expect.stringMatching(
        /^FAIL .*: It belongs to a review of the old service\. Use the feedback_url in Candor's JSON\.$/,
      ),
    ]);
    expect(vote("reviews.example")).toEqual([expect.stringMatching(/^ok .*already\.$/)]);
  });
});

describe("the page's own ratings", () => {
  const data = (value: object) => `\n<script type="application/ld+json">${JSON.stringify(value)}</script>`;
  const rated = { "@type": "Product", sku: "LAMP", aggregateRating: { ratingValue: 4 } };
  const command = (values: string) =>
    `${script}<script>testFreaks.push(["setProductId", "LAMP"], ["setAggregateRatingSchema"${values}])</script>`;
  const last = (html: string) => {
    const { line, found, works, note } = check(html).at(-1) ?? {};
    return { line, found, works, note };
  };

  it("are to be removed if the script adds the same product's", () => {
    const note = "setAggregateRatingSchema adds Candor's ratings. Remove aggregateRating and review here.";
    const wrapped = { "@graph": [{ "@type": "WebPage", mainEntity: rated }] };
    for (const html of [data(rated), data([rated]), data(wrapped)])
      expect(last(command("") + html)).toEqual({ line: 2, found: "JSON-LD with ratings of LAMP", works: false, note });
    const { sku: _, ...unnamed } = rated;
    expect(last(command(", true") + data(unnamed))).toEqual({
      line: 2,
      found: "JSON-LD with ratings",
      works: false,
      note,
    });
    expect(last(`${command("")}\n<p itemprop="aggregateRating"></p><p itemprop="aggregateRating"></p>`)).toEqual({
      line: 2,
      found: "microdata with ratings",
      works: false,
      note,
    });
  });

  it("can't be checked if the script adds none, or another product's", () => {
    expect(last(command(", false") + data(rated))).toMatchObject({
      works: null,
      note: expect.stringContaining("take them from Candor's product.jsonld, or remove them and add the command"),
    });
    expect(last(command("") + data({ ...rated, sku: "SHADE" }))).toMatchObject({
      works: null,
      note: expect.stringContaining("setAggregateRatingSchema adds those of LAMP only."),
    });
  });

  it("are to be removed if a script computes whose the script adds", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as in a page
    for (const id of ["product.sku", "sku", "`${sku}`", '"A-" + sku', "get('LAMP')"])
      expect(last(command("").replace('"LAMP"', id) + data(rated)), id).toMatchObject({ works: false });
    for (const id of ["'SHADE'", "`SHADE`", '"Shade, 2"', "7"])
      expect(last(command("").replace('"LAMP"', id) + data(rated)), id).toMatchObject({ works: null });
  });

  it("of many products name the first ones", () => {
    const ids = (count: number) => Array.from({ length: count }, (_, n) => `P${n}`);
    const listing = (count: number) => data(ids(count).map((sku) => ({ ...rated, sku })));
    expect(last(script + listing(500)).found).toBe("JSON-LD with ratings of P0, P1, P2, P3, P4 and 495 more");
    expect(last(script + listing(5)).found).toBe("JSON-LD with ratings of P0, P1, P2, P3, P4");
    const commands = ids(6).map((id) => `["setProductId", "${id}"]`);
    const many = `${script}<script>testFreaks.push(${commands}, ["setAggregateRatingSchema"])</script>`;
    expect(last(many + data(rated)).note).toContain("adds those of P0, P1, P2, P3, P4 and 1 more only.");
  });

  it("are mentioned only on pages of the old service, and only if there are any", () => {
    expect(brief(data(rated))).toEqual(["- FAIL page"]);
    expect(last(command("") + data({ "@type": "Product", sku: "LAMP" })).found).toBe(
      "command setAggregateRatingSchema",
    );
    expect(last(`${command("")}\n<script type="application/ld+json">{"aggregateRating": {},}</script>`).found).toBe(
      "JSON-LD with ratings",
    );
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

  it("is read up to a length that no server sends", () => {
    const policy = (length: number) => `default-src ${"a ".repeat(length / 2)}${ORIGIN}`;
    expect(blocked(policy(1_000))).toEqual([]);
    expect(blocked(policy(20_000))).toEqual(["script-src", "connect-src", "img-src", "frame-src"]);
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

  describe("in a page", () => {
    const note = (html: string, policy: string) => check(html, { policies: [policy] })[0]?.note;
    const json = "https://js.old.example/onpage/shop.example/reviews.json?key=a";
    const form = "https://reviews.old.example/reviews/new?client_id=shop.example&key=a";
    const blocked = (...names: string[]) => `Blocks Candor: add ${ORIGIN} to ${names.join(", ")}.`;

    it.each([
      [`<script>fetch("${json}")</script>`, "default-src 'self'", blocked("connect-src", "img-src")],
      [`<script>add("${json}&callback=show")</script>`, "default-src 'self'", blocked("script-src", "img-src")],
      [`<script src="${json}&callback=show"></script>`, "connect-src 'none'; img-src *", "Allows Candor."],
      [`<script nonce="x" src="${json}"></script>`, "script-src 'nonce-x'; img-src *", "Allows Candor."],
      ['<script>link("https://reviews.testfreaks.com" + path)</script>', "default-src 'self'", "Allows Candor."],
      [`<form action="${form}"></form>`, "form-action 'self'", blocked("form-action")],
      [`<form><button formaction="${form}"></form>`, "form-action 'none'", blocked("form-action")],
      [`<form action="${form}"></form>`, "default-src 'none'", "Allows Candor."],
      [`<a href="${form}"></a>`, "default-src 'none'; form-action 'none'", "Allows Candor."],
      [`<iframe src="${form}"></iframe>`, "default-src 'none'", blocked("frame-src")],
      [`<iframe src="${form}"></iframe>`, `default-src 'none'; frame-src ${ORIGIN}`, "Allows Candor."],
      [
        '<link rel="stylesheet" href="//js.old.example/onpage/shop.example/head.css">',
        "style-src 'self'",
        blocked("style-src"),
      ],
      [
        '<script>fetch("https://reviews.testfreaks.com/api/reviews", { method: "POST" })</script>',
        "default-src 'self'",
        blocked("connect-src"),
      ],
    ])("%s with %s: %s", (html, policy, expected) => {
      expect(note(html, policy)).toBe(expected);
      const meta = `<meta http-equiv="content-security-policy" content="${policy}">`;
      expect(check(meta + html)[0]).toMatchObject({ line: 1, note: expected });
    });
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
      [frame, `frame-src ${HOST}`, "Allows Candor."],
      [frame, `frame-src ${ORIGIN}`, `Blocks Candor: add ${HOST} to frame-src.`],
      // What has this installation's host already keeps it.
      [frame.replace("reviews.old.example", "reviews.example"), `frame-src ${ORIGIN}`, "Allows Candor."],
      [script.replace("js.old.example", "reviews.example"), `default-src ${ORIGIN}`, "Allows Candor."],
    ])("%s allows both hosts by %s: %s", (html, policy, expected) => {
      expect(note(html, policy)).toBe(expected);
    });
  });
});

it.each([
  "<script>",
  "testFreaks.push([",
  '<div id="testfreaks-badge">',
  "//a/onpage/",
  "<script>testFreaks=[",
  "<script>//abc",
  "<script>//abc' + a + '",
  `<script>"//abc" +${" ".repeat(20)}`,
  '<script>//js.testfreaks.com/"+',
  '<script type="application/ld+json">[',
  "<b>",
])("a page of %j has a bounded report", (text) => {
  expect(check(text.repeat(1_000_000 / text.length)).length).toBeLessThanOrEqual(1_002);
});

it("a page of elements that are closed in another order has a bounded report", () => {
  const [opened, closed] = ["<b>".repeat(150_000), "</i>".repeat(150_000)];
  expect(check(opened + closed)).toHaveLength(1);
});

it("a long policy of a page with many scripts has a bounded report", () => {
  const policy = `<meta http-equiv="content-security-policy" content="script-src ${"a.example ".repeat(100_000)}">`;
  expect(check(policy + script.repeat(2_000))).toHaveLength(1_000);
});

it("what other services have doesn't count toward the longest report", () => {
  const link = '<a href="https://other.example/api/reviews"></a>';
  const code = `<script>${'f("https://other.example/api/reviews");'.repeat(1_500)}</script>`;
  for (const others of [link.repeat(1_500), code])
    expect(brief(`${others}${script}<div id="testfreaks-videos"></div>`)).toEqual([
      "1 ok script https://js.old.example/onpage/shop.example/head.js",
      "1 FAIL container testfreaks-videos",
    ]);
});
