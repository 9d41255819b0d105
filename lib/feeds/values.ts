/** What the browser needs of this room besides types: no schemas here. */

export const feedKinds = ["products", "orders"] as const;
export type FeedKind = (typeof feedKinds)[number];

export const uploadFormats = ["xml", "csv", "tsv", "json"] as const;

export const PART_BYTES = 4 * 1024 * 1024;
/** Parts of one upload: 2 GiB together. */
export const MAX_PARTS = 512;
