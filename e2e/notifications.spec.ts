import type { Page } from "@playwright/test";
import { admin, createPerson, expect, expectAccessible, openAs, test } from "./fixtures";

// A person learns on any page of what failed, goes to it, and selects what they are notified of.

const bell = (page: Page) => page.getByRole("button", { name: /^Notifications/ });

test("the bell shows a failing feed, leads to it, and the settings turn it off", async ({ page }) => {
  test.setTimeout(150_000);
  await admin("client", "create", "--id", "notify.example", "--set", "display_name=Lanterna");
  const person = await createPerson("notified", "admin", "notify.example");
  await openAs(page, person, "/portal/notifications");
  await expect(page.getByRole("heading", { name: "No notifications" })).toBeVisible();
  await expect(bell(page)).toHaveAccessibleName("Notifications");
  await expectAccessible(page, "empty page");
  await bell(page).click();
  const menu = page.getByRole("dialog", { name: "Notifications" });
  await expect(menu.getByText("No notifications")).toBeVisible();
  await expectAccessible(page, "empty menu");
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(bell(page)).toBeFocused();

  await page.goto("/portal/feeds");
  await page.getByRole("button", { name: "Add feed" }).click();
  await page.getByLabel("URL").fill("http://127.0.0.1:9/feed.xml");
  await page.getByRole("button", { name: "Add and fetch now" }).click();
  await expect(page.getByText("Couldn’t connect to http://127.0.0.1:9/feed.xml").first()).toBeVisible({
    timeout: 20_000,
  });

  // By keyboard: the count, the menu, and the notification, which becomes read.
  await page.goto("/portal/settings");
  await expect(bell(page)).toHaveAccessibleName("Notifications: 1 unread");
  await bell(page).press("Enter");
  const entry = menu.getByRole("link", { name: /Feed import failed: http:\/\/127\.0\.0\.1:9\/feed\.xml/ });
  await expect(entry).toContainText("Lanterna");
  await expectAccessible(page, "menu");
  await entry.press("Enter");
  await page.waitForURL((url) => url.pathname === "/portal/feeds");
  await expect(menu).toBeHidden();
  await expect(page.getByRole("heading", { name: "Feeds", level: 1 })).toBeVisible();
  await expect(bell(page)).toHaveAccessibleName("Notifications");

  // On a phone.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/portal");
  await bell(page).click();
  await expect(menu.getByRole("link", { name: /Feed import failed/ })).toBeVisible();
  await expect(menu.getByText("Unread:")).toHaveCount(0);
  await expectAccessible(page, "menu on a phone");
  await menu.getByRole("link", { name: "View all notifications" }).click();
  await page.waitForURL("**/portal/notifications");
  await expect(page.getByRole("main").getByRole("link", { name: /Feed import failed/ })).toBeVisible();
  await expectAccessible(page, "page on a phone");
  await page.getByRole("link", { name: "Unread", exact: true }).click();
  await expect(page.getByRole("heading", { name: "No unread notifications" })).toBeVisible();

  // The settings, by keyboard.
  await page.getByRole("main").getByRole("link", { name: "Notification settings" }).press("Enter");
  await page.waitForURL("**/portal/account#notifications");
  const settings = page.getByRole("table", { name: "Notifications" });
  const setting = settings.getByRole("checkbox", { name: "Failed feed imports In the portal" });
  await expect(setting).toBeChecked();
  await expect(settings.getByRole("checkbox", { name: "Failed feed imports By email" })).toBeDisabled();
  await expect(page.getByText("Add your email address above to get notifications by email.")).toBeVisible();
  await setting.press("Space");
  await expect(setting).not.toBeChecked();
  await expectAccessible(page, "settings on a phone");
  const form = page.locator("form").filter({ has: settings });
  await form.getByRole("button", { name: "Save" }).press("Enter");
  await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
  await page.reload();
  await expect(setting).not.toBeChecked();
  await page.goto("/portal/notifications");
  await expect(page.getByRole("heading", { name: "No notifications" })).toBeVisible();
});

test("the bell fits next to the menu of stores on the smallest phone", async ({ page }) => {
  for (const [id, name] of [
    ["bell-one.example", "Lanterna with a long name"],
    ["bell-two.example", "Lumen"],
  ] as const)
    await admin("client", "create", "--id", id, "--set", `display_name=${name}`);
  const person = await createPerson("bell", "admin", "bell-one.example", "bell-two.example");
  await page.setViewportSize({ width: 320, height: 640 });
  await openAs(page, person, "/portal/notifications");
  await expect(page.getByRole("button", { name: "Store: Lanterna with a long name. Switch store" })).toBeVisible();
  await bell(page).click();
  await expect(page.getByRole("dialog", { name: "Notifications" })).toBeInViewport({ ratio: 1 });
  await expectAccessible(page, "smallest phone");
});

test("everything is marked as read, and another person sees none of it", async ({ page }) => {
  test.setTimeout(120_000);
  await admin("client", "create", "--id", "read.example", "--set", "display_name=Lumen");
  const person = await createPerson("reader", "admin", "read.example");
  const later = await createPerson("later", "moderator", "read.example");
  await openAs(page, person, "/portal/feeds");
  await page.getByRole("button", { name: "Add feed" }).click();
  await page.getByLabel("URL").fill("http://127.0.0.1:9/feed.csv");
  await page.getByRole("button", { name: "Add and fetch now" }).click();
  await expect(page.getByText("Couldn’t connect to http://127.0.0.1:9/feed.csv").first()).toBeVisible({
    timeout: 20_000,
  });
  await page.goto("/portal/notifications");
  await expect(bell(page)).toHaveAccessibleName("Notifications: 1 unread");
  await page.getByRole("main").getByRole("button", { name: "Mark all as read" }).click();
  await expect(page.getByRole("button", { name: "Mark all as read" })).toHaveCount(0);
  await expect(bell(page)).toHaveAccessibleName("Notifications");
  await page.context().clearCookies();
  await openAs(page, later, "/portal/notifications");
  await expect(page.getByRole("heading", { name: "No notifications" })).toBeVisible();
});
