import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const browser = new EventTarget();
beforeEach(() => {
  vi.stubGlobal("window", browser);
});
afterEach(() => {
  vi.unstubAllGlobals();
});
const load = async () => ({ ...(await import("./queries")), ...(await import("@tanstack/react-query")) });

test("that the connection is back is heard on a page that asks nothing, too", async () => {
  const { cacheOf, keepOnly, onlineManager } = await load();
  const client = cacheOf("ada");
  keepOnly("ada");
  expect(cacheOf("ada")).toBe(client);
  // A page that asks is shown, and left for one that does not.
  client.mount();
  browser.dispatchEvent(new Event("offline"));
  expect(onlineManager.isOnline()).toBe(false);
  client.unmount();
  browser.dispatchEvent(new Event("online"));
  expect(onlineManager.isOnline()).toBe(true);
});

test("who signs in finds nothing of what was heard for another", async () => {
  const { cacheOf, keepOnly } = await load();
  const heard = { email: "bo@example.org" };
  cacheOf("ada").setQueryData(["person", "P-1"], heard);
  keepOnly("ada");
  expect(cacheOf("ada").getQueryData(["person", "P-1"])).toEqual(heard);
  // To be drawn takes nothing from anybody, as what is drawn may never be shown.
  expect(cacheOf("mia").getQueryData(["person", "P-1"])).toBeUndefined();
  expect(cacheOf("ada").getQueryData(["person", "P-1"])).toEqual(heard);
  const adas = cacheOf("ada");
  keepOnly("mia");
  expect(adas.getQueryCache().getAll()).toEqual([]);
  expect(cacheOf("ada").getQueryData(["person", "P-1"])).toBeUndefined();
});

test("what asks must know for whom", async () => {
  const { Queries } = await load();
  const { Person } = await import("./person");
  expect(() => renderToStaticMarkup(<Queries>Hello</Queries>)).toThrow("usePerson needs a Person around it");
  const within = (
    <Person id="ada">
      <Queries>Hello</Queries>
    </Person>
  );
  expect(renderToStaticMarkup(within)).toBe("Hello");
});
