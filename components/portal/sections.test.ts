import { expect, it } from "vitest";
import { listsAt, pathForOtherStore, sectionOf } from "./sections";

it.each([
  ["/portal", "/portal", "/portal"],
  ["/portal/queue", "/portal/queue", "/portal/queue"],
  ["/portal/questions", "/portal/queue", "/portal/questions"],
  ["/portal/reviews/5f0c1d9be27a4836", "/portal/library", "/portal/library"],
  ["/portal/library", "/portal/library", "/portal/library"],
  ["/portal/library/photos", "/portal/library", "/portal/library/photos"],
  ["/portal/orders/FF-1", "/portal/orders", "/portal/orders"],
  ["/portal/audit", "/portal/settings", "/portal/settings"],
])("%s is in the section %s, and another store opens at %s", (pathname, section, other) => {
  expect([sectionOf(pathname)?.path, pathForOtherStore(pathname)]).toEqual([section, other]);
});

it.each([
  ["/portal/orders?q=ada", ["/portal/orders"]],
  ["/portal/orders/FF-1", []],
  ["/portal/questions?status=accepted", ["/portal/queue"]],
  ["/portal/questions/q-1", []],
  ["/portal/library?stars=1", ["/portal/library", "/portal/library?kind=review"]],
  ["/portal/library?kind=question", ["/portal/library", "/portal/library?kind=question"]],
  ["/portal/failures?kind=feed", ["/portal/failures"]],
  ["/portal/audit?who=ada", []],
])("%s shows the lists %j", (address, lists) => {
  const { pathname, searchParams } = new URL(address, "http://portal.invalid");
  expect(listsAt(pathname, searchParams)).toEqual(lists);
});
