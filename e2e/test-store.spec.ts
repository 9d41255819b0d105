import { admin, createPerson, expect, expectAccessible, openAs, test, uniqueName } from "./fixtures";

// A year in the life of a test store, by pressing buttons.

test("a test store lives through a year, and its recording is shared", async ({ page, browser, consoleErrors }) => {
  const id = uniqueName("test-store");
  const operator = await createPerson("clock", "operator");
  await admin(
    "client",
    "create",
    "--id",
    id,
    "--test",
    "--set",
    "display_name=Time lab",
    'config={"reminder_after_days":30}',
  );
  await admin("client", "create", "--id", `${id}-real`);

  // The orders of a real store, with other people.
  const orders = [1, 2, 3].map((n) => ({ order: `R-${n}`, customer: `real-${n}`, delivery: daysAgo(4 - n) }));
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", `${id}-real`);
  for (const { order, customer, delivery } of orders) {
    const response = await page.request.post("/v1/orders", {
      headers: { authorization: `Bearer ${secret}` },
      data: {
        order: {
          id: order,
          customer: { id: customer, name: "Rea Real", email: `${customer}@real.example` },
          items: [{ id: "lamp", name: "Lamp", delivery_date: delivery }],
        },
      },
    });
    expect(response.ok()).toBe(true);
  }

  await openAs(page, operator, `/portal/recording?client_id=${id}`);
  const clock = page.getByRole("region", { name: "Clock of the test store" });
  await expect(clock.getByText("Test store")).toBeVisible();
  await page.getByLabel("Copy from").selectOption(`${id}-real`);
  await page.getByRole("button", { name: "Copy orders" }).click();
  await expect(page.getByText("3 orders copied")).toBeVisible();
  await expect(page.getByRole("row", { name: /3 orders received/ })).toBeVisible();

  await clock.getByRole("button", { name: "Next event" }).click();
  await expect(clock.getByRole("status")).toContainText("Invitations: 1");
  for (let press = 1; press <= 6; press += 1) {
    await clock.getByRole("button", { name: "+60 days" }).click();
    await expect(clock.getByRole("button", { name: "+60 days" })).toBeEnabled();
    await expect(clock.getByText(`${360 - (6 - press) * 60 + 4} days ahead`)).toBeVisible();
  }
  const recording = page.getByRole("table", { name: "Recording of Time lab" });
  await expect(recording.getByText(/invitations? sent/)).not.toHaveCount(0);
  await expect(recording.getByText(/reminders? sent/)).not.toHaveCount(0);
  await expect(recording.getByText(/links? expired/)).not.toHaveCount(0);
  await expectAccessible(page);

  // The emails are in the mailbox, to made-up people.
  const shared = await page.getByRole("region", { name: "Link to this recording" }).innerText();
  await page.goto(`/portal/mailbox?client_id=${id}`);
  await expect(page.getByRole("cell", { name: /@example\.com/ }).first()).toBeVisible();
  await expect(page.getByText("@real.example")).toHaveCount(0);

  // Syncs and webhooks aren't held back.
  await page.goto(`/portal/integrations?client_id=${id}`);
  await expect(page.getByText("so connect test systems")).toBeVisible();

  // Anyone with the link sees the recording.
  const context = await browser.newContext();
  const visitor = await context.newPage();
  await visitor.goto(shared.trim());
  await expect(visitor.getByRole("heading", { name: "Recording of Time lab" })).toBeVisible();
  await expect(visitor.getByRole("table").getByText(/reminders? sent/)).not.toHaveCount(0);
  await expect(visitor.locator('meta[name="robots"]')).toHaveAttribute("content", /noindex/);

  // Until it is replaced.
  await page.goto(`/portal/recording?client_id=${id}`);
  await page.getByRole("button", { name: "Replace link" }).click();
  const dialog = page.getByRole("dialog", { name: "Replace link?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  expect((await visitor.reload())?.status()).toBe(200);
  await page.route("**/test_store/recording_link?*", (route) => route.abort());
  await page.getByRole("button", { name: "Replace link" }).click();
  await dialog.getByRole("button", { name: "Replace link" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await page.unroute("**/test_store/recording_link?*");
  expect(consoleErrors.splice(0).filter((text) => !text.includes("ERR_FAILED"))).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  // Opened again, it doesn't show the earlier error.
  await page.getByRole("button", { name: "Replace link" }).click();
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await dialog.getByRole("button", { name: "Replace link" }).click();
  await expect(page.getByText("The earlier link no longer works.")).toBeVisible();
  const link = page.getByRole("region", { name: "Link to this recording" });
  const next = await link.innerText();
  expect((await visitor.goto(shared.trim()))?.status()).toBe(404);
  await visitor.goto(next.trim());
  await expect(visitor.getByRole("heading", { name: "Recording of Time lab" })).toBeVisible();
  await context.close();

  // The link that works stays, whether the next attempt fails at once or later, and in the browser's history.
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Replace link" }).click();
  await dialog.getByRole("button", { name: "Replace link" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await page.context().setOffline(false);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  expect(await link.innerText()).toBe(next);
  await page.getByRole("link", { name: "Mailbox" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Mailbox" })).toBeVisible();
  await page.goBack();
  await expect(link).toHaveText(next);

  // The dialog is the only place that shows a failure, so it stays open until then.
  let fail = () => {};
  await page.route("**/test_store/recording_link?*", async (route) => {
    await new Promise<void>((resolve) => {
      fail = resolve;
    });
    await route.abort();
  });
  await page.getByRole("button", { name: "Replace link" }).click();
  await dialog.getByRole("button", { name: "Replace link" }).click();
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Close" }).click();
  fail();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  expect(await link.innerText()).toBe(next);
  expect(consoleErrors.splice(0).filter((text) => !/ERR_(FAILED|INTERNET_DISCONNECTED)/.test(text))).toEqual([]);
});

const daysAgo = (count: number): string => new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10);
