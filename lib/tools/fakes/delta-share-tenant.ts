import { type DeltaShareColumn, type DeltaShareRow, DeltaShareTable, type TableOptions } from "./delta-share-table";

// A tenant's tables with the names and columns of the platform's exports, and rows of every kind.

const text = (...names: string[]): DeltaShareColumn[] => names.map((name) => ({ name, type: "STRING" }));
const importedAtColumn: DeltaShareColumn = {
  name: "import_date_time",
  type: "TIMESTAMP_MICROS",
};

/** The columns of each table that Candor reads. */
export const tenantColumns = {
  contactslatest: [
    ...text("contactId", "memberNumber", "externalId", "firstName", "lastName", "email", "mobilePhone", "countryCode"),
    { name: "acceptsEmail", type: "BOOLEAN" },
    ...text("favouriteColour", "changeType"),
    importedAtColumn,
  ],
  receiptslatest: [
    ...text("receiptId", "contactId", "storeId", "storeExternalId", "receiptNumber"),
    { name: "totalGrossPrice", type: "DOUBLE" },
    ...text("localCurrency", "transactionDateTime", "changeType"),
    importedAtColumn,
  ],
  receiptitemslatest: [
    ...text(
      "receiptItemId",
      "receiptId",
      "contactId",
      "storeId",
      "transactionDateTime",
      "type",
      "sku",
      "articleNumber",
    ),
    { name: "quantity", type: "DOUBLE" },
    { name: "grossPaidPrice", type: "DOUBLE" },
    ...text("changeType"),
    importedAtColumn,
  ],
  storelatest: [...text("storeId", "externalId", "name", "timeZone", "type", "city", "countryCode"), importedAtColumn],
  articlelatest: [
    ...text("sku", "number", "name", "maincategory", "brand", "color", "size", "description", "gtin"),
    importedAtColumn,
  ],
} satisfies Record<string, DeltaShareColumn[]>;

export type TenantTables = { [K in keyof typeof tenantColumns]: DeltaShareTable };

/** The five tables, empty. */
export const tenantTables = (options: TableOptions = {}): TenantTables =>
  Object.fromEntries(
    Object.entries(tenantColumns).map(([name, columns]) => [
      name,
      new DeltaShareTable(name, columns as DeltaShareColumn[], options),
    ]),
  ) as TenantTables;

const IMPORTED_AT = "2026-01-05T04:00:00.000000Z";

export const aContact = (given: DeltaShareRow = {}): DeltaShareRow => ({
  contactId: "c-ada",
  memberNumber: "1001",
  firstName: "Ada",
  lastName: "Example",
  email: "ada@example.org",
  countryCode: "SE",
  acceptsEmail: true,
  favouriteColour: "green",
  import_date_time: IMPORTED_AT,
  ...given,
});

export const aReceipt = (given: DeltaShareRow = {}): DeltaShareRow => ({
  receiptId: "r-1",
  contactId: "c-ada",
  storeId: "s-web",
  storeExternalId: "WEB",
  receiptNumber: "100001",
  totalGrossPrice: 79.5,
  localCurrency: "SEK",
  transactionDateTime: "2026-01-04T18:30:00+01:00",
  changeType: "CREATE",
  import_date_time: IMPORTED_AT,
  ...given,
});

export const anItem = (given: DeltaShareRow = {}): DeltaShareRow => ({
  receiptItemId: `${given.receiptId ?? "r-1"}/${given.sku ?? "LAMP-OAK-S"}/${given.type ?? "PURCHASE"}`,
  receiptId: "r-1",
  contactId: "c-ada",
  storeId: "s-web",
  transactionDateTime: "2026-01-04T18:30:00+01:00",
  type: "PURCHASE",
  sku: "LAMP-OAK-S",
  articleNumber: "LAMP-OAK",
  quantity: 1,
  grossPaidPrice: 79.5,
  changeType: "CREATE",
  import_date_time: IMPORTED_AT,
  ...given,
});

export const aStore = (given: DeltaShareRow = {}): DeltaShareRow => ({
  storeId: "s-web",
  externalId: "WEB",
  name: "Web shop",
  timeZone: "Europe/Stockholm",
  type: "ECOMM",
  countryCode: "SE",
  import_date_time: IMPORTED_AT,
  ...given,
});

export const anArticle = (given: DeltaShareRow = {}): DeltaShareRow => ({
  sku: "LAMP-OAK-S",
  number: "LAMP-OAK",
  name: "Oak lamp, small",
  maincategory: "Lamps",
  brand: "Nordlys",
  color: "oak",
  size: "S",
  import_date_time: IMPORTED_AT,
  ...given,
});

/** A tenant with every kind of purchase. */
export function sampleTenant(options: TableOptions = {}): TenantTables {
  const tables = tenantTables(options);
  tables.storelatest.append([
    aStore(),
    aStore({
      storeId: "s-city",
      externalId: "CITY",
      name: "City",
      type: "RETAIL",
    }),
  ]);
  tables.articlelatest.append([
    anArticle(),
    anArticle({ sku: "LAMP-OAK-L", name: "Oak lamp, large", size: "L" }),
    anArticle({
      sku: "MUG",
      number: "MUG",
      name: "Mug",
      maincategory: "Kitchen",
      brand: "Fika",
    }),
  ]);
  tables.contactslatest.append([
    aContact({
      email: "old-address@example.org",
      import_date_time: "2026-01-01T04:00:00.000000Z",
    }),
    aContact(),
    aContact({
      contactId: "c-bo",
      memberNumber: "1002",
      firstName: "Bo",
      lastName: null,
      email: "bo@example.org",
    }),
    aContact({
      contactId: "c-cleo",
      memberNumber: "1003",
      firstName: "Cleo",
      email: null,
      mobilePhone: "+46700000000",
    }),
  ]);
  const city = { storeId: "s-city", storeExternalId: "CITY" };
  tables.receiptslatest.append([
    aReceipt(),
    aReceipt({
      receiptId: "r-2",
      contactId: "c-bo",
      receiptNumber: "200001",
      ...city,
    }),
    aReceipt({
      receiptId: "r-3",
      contactId: "c-bo",
      receiptNumber: "200002",
      ...city,
      transactionDateTime: "2026-01-06T10:00:00+01:00",
    }),
    aReceipt({
      receiptId: "r-4",
      contactId: null,
      receiptNumber: "200003",
      ...city,
    }),
    aReceipt({
      receiptId: "r-5",
      contactId: "c-cleo",
      receiptNumber: "100002",
    }),
  ]);
  tables.receiptitemslatest.append([
    anItem(),
    anItem({ sku: "MUG", articleNumber: "MUG", quantity: 2 }),
    anItem({
      receiptId: "r-2",
      contactId: "c-bo",
      sku: "LAMP-OAK-L",
      storeId: "s-city",
    }),
    anItem({
      receiptId: "r-2",
      contactId: "c-bo",
      sku: "MUG",
      articleNumber: "MUG",
      storeId: "s-city",
    }),
    anItem({
      receiptId: "r-3",
      contactId: "c-bo",
      sku: "MUG",
      articleNumber: "MUG",
      type: "RETURN",
      transactionDateTime: "2026-01-06T10:00:00+01:00",
    }),
    anItem({ receiptId: "r-4", contactId: null }),
    anItem({ receiptId: "r-5", contactId: "c-cleo" }),
  ]);
  return tables;
}

/** Adds `count` receipts of one item each, by a quarter as many contacts, in files of a hundred rows. */
export function addReceipts(tables: TenantTables, count: number): void {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  for (let at = 0; at < count; at += 100) {
    const some = numbers.slice(at, at + 100);
    const contactOf = (n: number) => `m-${Math.ceil(n / 4)}`;
    const contacts = [...new Set(some.map(contactOf))];
    tables.contactslatest.append(
      contacts.map((contactId) =>
        aContact({
          contactId,
          memberNumber: contactId.slice(2),
          email: `${contactId}@example.org`,
        }),
      ),
    );
    tables.receiptslatest.append(
      some.map((n) =>
        aReceipt({
          receiptId: `many-${n}`,
          contactId: contactOf(n),
          receiptNumber: String(900_000 + n),
        }),
      ),
    );
    tables.receiptitemslatest.append(
      some.map((n) =>
        anItem({
          receiptId: `many-${n}`,
          contactId: contactOf(n),
          sku: n % 2 ? "LAMP-OAK-S" : "MUG",
        }),
      ),
    );
  }
}
