import type { Page } from "@playwright/test";
import { admin, createPerson, expect, expectAccessible, openAs, test } from "./fixtures";
import { countActions, judgemeExport, MAX_ACTIONS, selectFileToImport, undoImport } from "./journeys";

// An admin imports another service's reviews, and undoes the import.

const judgeme = judgemeExport([
  'Warm light,"Lovely on the desk, and <b>bright</b>.",5,2025-02-12 00:00:00 UTC,Patricia D.,p@customers.example,lamp-1,lamp,Thank you!,,ok',
  "Fine,Does what it should.,4,13/10/2024,Camilo V.,,lamp-1,lamp,,,ok",
  "Spam,Buy now,5,2024-10-07 00:00:00 UTC,Bot,,lamp-1,lamp,,,spam",
  "No rating,Forgot it,,2024-10-08,Ann,,lamp-1,lamp,,,ok",
  "Future,Too early,4,2999-01-01,Bo,,lamp-1,lamp,,,ok",
]);
const unknown = "When;Stars given;Words;Item\n2026-01-02;4;Nice lamp;lamp-1\n2026-01-03;2;It broke;lamp-1\n";

/** Selects a file in the browser's dialog. */
const selectFile = (page: Page, name: string, text: string) => selectFileToImport(page, countActions(), name, text);

test("an admin imports a Judge.me export and undoes it, within six actions from home", async ({ page }) => {
  test.setTimeout(150_000);
  await admin("client", "create", "--id", "import.example", "--set", "display_name=Lanterna");
  const person = await createPerson("import-admin", "admin", "import.example");
  await openAs(page, person, "/portal");

  const does = countActions();
  await does.click(page.getByRole("link", { name: "Review imports" }));
  await expect(page.getByRole("heading", { name: "No imports yet" })).toBeVisible();
  await selectFileToImport(page, does, "judgeme.csv", judgeme);
  await page.waitForURL(/\/portal\/imports\/imp_/);
  await expect(page.getByText("Judge.me · Reviews")).toBeVisible();
  await expect(page.getByText("Ready to import", { exact: true })).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText("Lovely on the desk, and bright.")).toBeVisible();
  await expect(page.getByRole("cell", { name: "Missing rating row 4" })).toBeVisible();
  await expect(page.getByText("3 new", { exact: true })).toBeVisible();

  await does.click(page.getByRole("button", { name: "Import 3 reviews" }));
  await expect(page.getByText("Imported", { exact: true })).toBeVisible({ timeout: 20_000 });
  await undoImport(page, does, "Delete 3 reviews");
  expect(does.total()).toBeLessThanOrEqual(MAX_ACTIONS);
  await page.goto("/portal/library");
  await expect(page.getByText("Lovely on the desk")).toHaveCount(0);
});

test("columns of an unknown file are assigned, and every state is accessible", async ({ page, consoleErrors }) => {
  test.setTimeout(150_000);
  await admin("client", "create", "--id", "columns.example", "--set", "display_name=Lanterna");
  const person = await createPerson("columns-admin", "admin", "columns.example");
  await openAs(page, person, "/portal/imports");
  await expectAccessible(page, "empty");
  await selectFile(page, "letter.csv", "Dear shop\n");
  await expect(page.getByRole("alert").filter({ hasText: "columns" })).toBeVisible();
  expect(consoleErrors.splice(0)).toHaveLength(1); // the refused file
  await selectFile(page, "other.csv", unknown);
  await page.waitForURL(/\/portal\/imports\/imp_/);
  await expect(page.getByText(/We don’t know this file’s columns/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Check file" })).toBeDisabled();
  await expectAccessible(page, "columns");

  const assign = async (label: string, column: string) => {
    await page.getByLabel(label, { exact: true }).selectOption(column);
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(column);
  };
  await assign("Product ID or SKU", "item");
  await assign("Rating", "stars_given");
  await assign("Text", "words");
  await assign("Date", "when");
  await expect(page.getByText("Nice lamp").first()).toBeVisible();
  await page.getByRole("button", { name: "Check file" }).click();
  await page.getByRole("button", { name: "Import 2 reviews" }).click({ timeout: 20_000 });
  await expect(page.getByText("Imported", { exact: true })).toBeVisible({ timeout: 20_000 });
  await expectAccessible(page, "imported");
  await page.getByRole("link", { name: "View imported" }).click();
  await expect(page.getByText("It broke").first()).toBeVisible();

  await page.goBack();
  await page.getByRole("button", { name: "Undo import…" }).click();
  await expect(page.getByRole("button", { name: "Delete 2 reviews" })).toBeVisible();
  await expectAccessible(page, "undo");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.goto("/portal/imports");
  await expect(page.getByRole("region", { name: "Review imports" }).getByRole("row")).toHaveCount(2);
  await expectAccessible(page, "list");
});

test("a file whose check can't be started is opened with its button", async ({ page, consoleErrors }) => {
  await admin("client", "create", "--id", "unchecked.example", "--set", "display_name=Lanterna");
  const person = await createPerson("unchecked-admin", "admin", "unchecked.example");
  await openAs(page, person, "/portal/imports");
  let requests = 0;
  await page.route("**/portal/api/v1/imports/*/run**", (route) => {
    requests += 1;
    return requests === 1 ? route.abort() : route.continue();
  });
  await selectFile(page, "judgeme.csv", judgeme);
  await page.waitForURL(/\/portal\/imports\/imp_/);
  await page.getByRole("button", { name: "Check file" }).click();
  await expect.poll(() => requests).toBe(2);
  await expect(page.getByRole("button", { name: "Import 3 reviews" })).toBeVisible({ timeout: 20_000 });
  expect(consoleErrors.splice(0)).toEqual([expect.stringContaining("ERR_FAILED")]);
});
